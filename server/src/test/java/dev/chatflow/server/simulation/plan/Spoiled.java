package dev.chatflow.server.simulation.plan;

/** What becomes of one frame between a reader and its users: the judge has to notice. */
public enum Spoiled {
  NOTHING,
  DROPPED,
  REPEATED,
  /** It comes behind the next one. */
  SWAPPED;

  /** Which frame of each server. */
  public static final int FRAME = 20;
}
