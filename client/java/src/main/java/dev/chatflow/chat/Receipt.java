package dev.chatflow.chat;

import java.time.Instant;

/** Confirms that a room has a posted message. */
public interface Receipt {

  /** Returns the message id. */
  String id();

  /** Returns when the server accepted it. */
  Instant at();
}
