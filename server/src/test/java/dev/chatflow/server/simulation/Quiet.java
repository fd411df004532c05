package dev.chatflow.server.simulation;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/** Silences the product's log while seeds run, because they lose and find shards all the time. */
final class Quiet implements AutoCloseable {

  private final Logger log = (Logger) LoggerFactory.getLogger("dev.chatflow");
  private final Level before = log.getEffectiveLevel();

  Quiet() {
    log.setLevel(Level.OFF);
  }

  @Override
  public void close() {
    log.setLevel(before);
  }
}
