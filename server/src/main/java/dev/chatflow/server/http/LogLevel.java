package dev.chatflow.server.http;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.util.List;
import org.slf4j.LoggerFactory;

/**
 * How much of what this program does its log says, until the next start; libraries keep their own
 * levels. Any thread.
 */
final class LogLevel {

  /** From little to much. */
  static final List<String> NAMES = List.of("ERROR", "WARN", "INFO", "DEBUG");

  private static Logger ours() {
    return (Logger) LoggerFactory.getLogger("dev.chatflow");
  }

  String now() {
    return ours().getEffectiveLevel().toString();
  }

  /** Sets it; false when the name is none of {@link #NAMES}. */
  boolean set(String name) {
    boolean known = NAMES.contains(name);
    if (known) {
      ours().setLevel(Level.valueOf(name));
    }
    return known;
  }
}
