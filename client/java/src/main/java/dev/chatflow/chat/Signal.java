package dev.chatflow.chat;

import java.time.Instant;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * A notice for the members that are connected now, such as {@code typing}. It may be lost, and is
 * in no history.
 *
 * @param text empty unless the sender added one
 * @param at when the server accepted it
 * @param own whether this user sent it, on any device
 * @param extras its kind and its optional parts
 * @param device the device that sent it; the empty string if that has no name
 */
public record Signal(
    User user, String text, Instant at, boolean own, Extras extras, String device) {

  private static final Pattern KIND = Pattern.compile("[A-Za-z0-9._:-]{1,32}");
  private static final int MAX_TEXT = 500;

  /** Returns what it is about, in a word of the application. */
  public String kind() {
    return Objects.requireNonNullElse(extras.kind(), "");
  }

  /** Throws in the call that sends the signal if no server would accept it. */
  static void requireSendable(Extras extras, String text) {
    String kind = extras.kind();
    if (kind == null || !KIND.matcher(kind).matches()) {
      throw new IllegalArgumentException(
          "the kind of a signal must be 1 to 32 of A-Z a-z 0-9 . _ : -, found " + kind);
    }
    Message.requireSendable(text, extras, 0, MAX_TEXT);
  }
}
