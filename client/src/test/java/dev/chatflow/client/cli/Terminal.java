package dev.chatflow.client.cli;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.chatflow.client.report.Screen;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/**
 * Runs the client in this process and keeps its output. Intervals are long by default, so that the
 * client does not report itself as saturated on a busy build machine.
 */
public final class Terminal {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  public final Map<String, String> environment =
      new HashMap<>(Map.of("CHATFLOW_CLIENT_OUT", "none", "CHATFLOW_CLIENT_EVERY", "10s"));
  final Properties userFile = new Properties();
  @Nullable String launcher;
  private volatile @Nullable Interruption running;

  public int run(String... arguments) {
    return Main.execute(surroundings(), arguments);
  }

  /** Returns all commands with their options. */
  CommandLine commands() {
    return Main.commands(surroundings());
  }

  private Surroundings surroundings() {
    return new Surroundings(
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        environment,
        userFile,
        launcher,
        Screen.NONE,
        Screen.NONE,
        interruption -> running = interruption);
  }

  boolean interrupt() {
    Interruption command = running;
    return command != null && command.interrupt();
  }

  public String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  public String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  JsonObject json() {
    return JsonParser.parseString(out()).getAsJsonObject();
  }
}
