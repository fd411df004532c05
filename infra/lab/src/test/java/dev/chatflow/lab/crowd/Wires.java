package dev.chatflow.lab.crowd;

import com.google.gson.Gson;
import com.google.gson.reflect.TypeToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/** Reads the protocols of infra/bench/wires.json. */
final class Wires {
  private Wires() {}

  static Map<String, Wire> all() {
    try {
      String json = Files.readString(Path.of("..", "bench", "wires.json"));
      return new Gson().fromJson(json, new TypeToken<Map<String, Wire>>() {}.getType());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Wire of(String name) {
    return Objects.requireNonNull(all().get(name));
  }
}
