package dev.chatflow.chat;

import com.google.gson.JsonObject;
import dev.chatflow.chat.link.Frames;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Objects;

/**
 * A text of a room.
 *
 * @param at when the server accepted it
 * @param own whether this user sent it, on any device
 * @param past whether it was sent before this client's JOIN: before entering, or while the
 *     connection was lost
 * @param late whether it answers a text that was sent again: the room had it before, so it has no
 *     position among the other messages
 * @param extras its optional parts
 * @param device the device that sent it; the empty string if that has no name
 */
public record Message(
    User user,
    String text,
    String id,
    Instant at,
    boolean own,
    boolean past,
    boolean late,
    Extras extras,
    String device) {

  private static final DateTimeFormatter MILLIS =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

  /** Creates a message that carries only its text. */
  public Message(
      User user, String text, String id, Instant at, boolean own, boolean past, boolean late) {
    this(user, text, id, at, own, past, late, Extras.NONE, "");
  }

  /** Throws in the call that sends the text if no server would accept it. */
  static void requireSendable(String text, Extras extras, int most) {
    requireSendable(text, extras, extras.allowNoText() ? 0 : 1, most);
  }

  static void requireSendable(String text, Extras extras, int least, int most) {
    extras.requireSendable();
    Objects.requireNonNull(text, "text is null: a text has 1 to " + most + " characters");
    int characters = text.codePointCount(0, text.length());
    if (characters > most || characters < least) {
      throw new IllegalArgumentException(
          "a text has %d to %d characters, this one has %d: %s"
              .formatted(
                  least, most, characters, characters < 1 ? "skip empty texts" : "split it"));
    }
    if (text.codePoints().anyMatch(c -> c >= 0xd800 && c < 0xe000)) {
      throw new IllegalArgumentException(
          "the text contains half a character (an unpaired surrogate): do not cut between the two"
              + " chars of a pair");
    }
  }

  /**
   * Returns the position of this text in its room, for {@link ChatFlow#join(String, Listener,
   * String)}: a line of JSON to be stored.
   */
  public String position() {
    return name().toString();
  }

  /** Returns the four fields by which a server finds its frame. */
  JsonObject name() {
    JsonObject name = new JsonObject();
    name.addProperty(Frames.TYPE, "TEXT");
    name.addProperty(Frames.USER, user.id());
    name.addProperty(Frames.ID, id);
    name.addProperty(Frames.TIME, MILLIS.format(at));
    return name;
  }
}
