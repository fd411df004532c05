package dev.chatflow.delivery;

import java.util.List;

/** The result of a request for earlier messages of a room. */
public sealed interface PastAnswer {

  /**
   * The messages.
   *
   * @param texts broadcasts as members got them, oldest first
   */
  record Answered(List<String> texts) implements PastAnswer {}

  /** The frame given as the end is not kept, or occurs twice. */
  record NotFound() implements PastAnswer {}

  /**
   * The request cannot be answered now.
   *
   * @param why the reason for people
   */
  record NotNow(String why) implements PastAnswer {}
}
