package dev.chatflow.server.publish;

/**
 * A sender that waits for a lane, identified by {@code equals}. Called by any thread; must not park
 * it.
 */
@FunctionalInterface
public interface LaneSender {

  /** Reports that the lane accepts lines again, and is below half of its bound. */
  void laneIsFree();
}
