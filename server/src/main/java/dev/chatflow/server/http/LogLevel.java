package dev.chatflow.server.http;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.util.List;
import org.slf4j.LoggerFactory;

/**
 * Changes the log level of this program until the next start; libraries keep their own levels.
 * Thread-safe.
 */
final class LogLevel {

  /** From few to many lines. */
  static final List<String> NAMES = List.of("ERROR", "WARN", "INFO", "DEBUG");

  private static Logger ours() {
    return (Logger) LoggerFactory.getLogger("dev.chatflow");
  }

  String now() {
    return ours().getEffectiveLevel().toString();
  }

  /** Sets the level; false if the name is not in {@link #NAMES}. */
  boolean set(String name) {
    boolean known = NAMES.contains(name);
    if (known) {
      ours().setLevel(Level.valueOf(name));
    }
    return known;
  }
}
