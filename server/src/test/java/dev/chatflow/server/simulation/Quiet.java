package dev.chatflow.server.simulation;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.util.List;
import org.slf4j.LoggerFactory;

/** Silences readers and connections while seeds run, because they lose shards all the time. */
final class Quiet implements AutoCloseable {

  private final List<Logger> logs =
      List.of(
          (Logger) LoggerFactory.getLogger("dev.chatflow.log"),
          (Logger) LoggerFactory.getLogger("dev.chatflow.server.edge"));

  Quiet() {
    logs.forEach(log -> log.setLevel(Level.OFF));
  }

  /** Restores the level that the loggers inherit. */
  @Override
  public void close() {
    logs.forEach(log -> log.setLevel(null));
  }
}
