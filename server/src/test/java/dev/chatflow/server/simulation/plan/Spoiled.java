package dev.chatflow.server.simulation.plan;

/** A manipulation of one frame between a reader and its users, which the judge has to detect. */
public enum Spoiled {
  NOTHING,
  DROPPED,
  REPEATED,
  /** It arrives after the next one. */
  SWAPPED;

  /** The index of the manipulated frame of each server. */
  public static final int FRAME = 20;
}
