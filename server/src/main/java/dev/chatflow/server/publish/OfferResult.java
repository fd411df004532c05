package dev.chatflow.server.publish;

/** The result of offering a line to a lane. */
public enum OfferResult {
  ACCEPTED,
  /** Accepted, and the lane is above its bound now: the sender will be called once. */
  ACCEPTED_AND_FULL,
  /** The lane accepts nothing now; the sender will be called once it does. */
  NOT_NOW
}
