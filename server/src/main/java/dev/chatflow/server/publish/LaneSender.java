package dev.chatflow.server.publish;

/** Who waits for a lane; told apart by {@code equals}. Called by any thread; must not park it. */
@FunctionalInterface
public interface LaneSender {

  /** The lane takes lines again, and is below half of its bound. */
  void laneIsFree();
}
