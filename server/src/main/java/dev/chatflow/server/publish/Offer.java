package dev.chatflow.server.publish;

/** What became of a line that was offered to a lane. */
public enum Offer {
  ACCEPTED,
  /** Taken, and the lane is above its bound now: the sender will be called once. */
  ACCEPTED_AND_FULL,
  /** The lane takes nothing now; the sender will be called once when it does. */
  NOT_NOW
}
