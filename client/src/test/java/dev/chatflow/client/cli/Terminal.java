package dev.chatflow.client.cli;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

/** Runs the client in this process and keeps what it printed. */
final class Terminal {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  final Map<String, String> environment = new HashMap<>(Map.of("CHATFLOW_CLIENT_OUT", "none"));
  final Properties userFile = new Properties();
  private volatile Runnable interrupt = () -> {};

  int run(String... arguments) {
    return Main.execute(
        new Surroundings(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            environment,
            userFile,
            false,
            action -> interrupt = action),
        arguments);
  }

  void interrupt() {
    interrupt.run();
  }

  String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  JsonObject json() {
    return JsonParser.parseString(out()).getAsJsonObject();
  }
}
