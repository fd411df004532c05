package dev.chatflow.delivery;

import java.util.List;

/** What became of a question about the past of a room. */
public sealed interface PastAnswer {

  /**
   * What was said.
   *
   * @param texts broadcasts as members got them, oldest first
   */
  record Answered(List<String> texts) implements PastAnswer {}

  /** The frame before which the past was asked for is not kept, or stands there twice. */
  record NotFound() implements PastAnswer {}

  /**
   * It cannot be answered now.
   *
   * @param why for people
   */
  record NotNow(String why) implements PastAnswer {}
}
