package dev.chatflow.server.simulation;

/** What becomes of one frame between a reader and its users: the judge has to notice. */
enum Spoiled {
  NOTHING,
  DROPPED,
  REPEATED,
  /** It comes behind the next one. */
  SWAPPED;

  /** Which frame of each server. */
  static final int FRAME = 20;
}
