package dev.chatflow.server.publish;

/** Who offered a message to a lane above its bound, and waits; told apart by {@code equals}. */
@FunctionalInterface
public interface Drained {

  /**
   * The lane fell below half of its bound. Called once for any number of refused offers, by the
   * lane's thread, possibly before the refused offer returns; must not park.
   */
  void laneDrained();
}
