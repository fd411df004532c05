package dev.chatflow.chat;

import java.time.Instant;

/**
 * A notice for the members that are connected now, such as {@code typing}. It may be lost, and is
 * in no history.
 */
public interface Signal {

  User user();

  /** Returns what it is about, in a word of the application. */
  String kind();

  /** Returns the text that the sender added; may be empty. */
  String text();

  /** Returns when the server accepted it. */
  Instant at();

  /** Returns whether this user sent it, on any device. */
  boolean own();

  /** Returns its kind and its optional parts. */
  Extras extras();

  /** Returns the device that sent it; the empty string if that has no name. */
  String device();
}
