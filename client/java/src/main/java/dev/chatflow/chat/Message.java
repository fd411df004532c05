package dev.chatflow.chat;

import java.time.Instant;

/** A text of a room. */
public interface Message {

  User user();

  String text();

  /** Returns the message id, which is unique only per user. */
  String id();

  /** Returns when the server accepted it. */
  Instant at();

  /** Returns whether this user sent it, on any device. */
  boolean own();

  /**
   * Returns whether it was sent before this client's JOIN: before entering, or while the connection
   * was lost.
   */
  boolean past();

  /**
   * Returns whether it answers a text that was sent again: the room had it before, so it has no
   * position among the other messages.
   */
  boolean late();

  Extras extras();

  /** Returns the device that sent it; the empty string if that has no name. */
  String device();

  /**
   * Returns the position of this text in its room, for {@link ChatFlow#join(String, Listener,
   * String)}: a line of JSON to be stored.
   */
  String position();
}
