package dev.chatflow.message;

import dev.chatflow.room.RoomId;
import java.util.function.Predicate;

/**
 * The rule for a field.
 *
 * @param text the rule for the sender, after the field's name
 * @param allows returns whether a value is valid
 */
public record Rule(String text, Predicate<String> allows) {

  static final int MAX_USER_NUMBER = 100_000;
  private static final int MAX_USER_NUMBER_DIGITS = 6;
  public static final int MAX_USER_ID = 64;
  public static final int MAX_USERNAME = 64;
  public static final int MAX_MESSAGE_ID = 64;

  public static final int MAX_KIND = 32;
  static final int MAX_DEVICE = 32;

  /** Maximum code points of a TEXT's {@code message}; a server may accept fewer. */
  public static final int MAX_TEXT = 4_000;

  /** Maximum code points of the {@code message} of a JOIN, LEAVE or SIGNAL. */
  static final int MAX_REMARK = 500;

  /**
   * Maximum characters of a server id, connection id or client address: a host name with its port.
   */
  public static final int MAX_PLAIN = 255;

  static final Rule TYPE = new Rule("must be TEXT, JOIN, LEAVE or SIGNAL", Rule::isType);

  /** Accepts every user id that exists; {@link UserIds} limits those that a server accepts. */
  public static final Rule USER_ID =
      new Rule(
          "must have 1 to " + MAX_USER_ID + " of A-Z a-z 0-9 . _ : @ | -",
          text -> Alphabet.USER.spells(text, 1, MAX_USER_ID));

  /** Accepts user ids that are numbers. */
  static final Rule USER_NUMBER =
      new Rule("must be an integer from 1 to " + MAX_USER_NUMBER, Rule::isUserNumber);

  public static final Rule USERNAME =
      new Rule(
          "must have 1 to "
              + MAX_USERNAME
              + " characters, not only spaces, without control characters and those that change"
              + " the direction of text",
          text -> Alphabet.NAME.spells(text, 1, MAX_USERNAME) || isName(text));
  static final Rule TEXT = message(1, MAX_TEXT);
  static final Rule TEXT_OR_NONE = message(0, MAX_TEXT);
  static final Rule REMARK = message(0, MAX_REMARK);
  static final Rule TIMESTAMP =
      new Rule("must be an RFC 3339 time such as 2026-11-20T18:46:00.123Z", Rfc3339::isValid);
  public static final Rule MESSAGE_ID =
      new Rule(
          "must have 1 to " + MAX_MESSAGE_ID + " of A-Z a-z 0-9 . _ : -",
          text -> Alphabet.ID.spells(text, 1, MAX_MESSAGE_ID));
  static final Rule KIND =
      new Rule(
          "must have 1 to " + MAX_KIND + " of A-Z a-z 0-9 . _ : -",
          text -> Alphabet.ID.spells(text, 1, MAX_KIND));

  static final Rule DEVICE =
      new Rule(
          "must have 1 to " + MAX_DEVICE + " of A-Z a-z 0-9 . _ : -",
          text -> Alphabet.ID.spells(text, 1, MAX_DEVICE));

  static final String DATA = "must be a JSON object of at most " + Extras.MAX_DATA_BYTES + " bytes";
  static final String MUTE = "must have until, a time such as 2026-11-20T18:46:00.123Z";
  public static final Rule ROOM_ID = new Rule("must have " + RoomId.RULE, RoomId::isValid);
  public static final Rule SERVER_TIMESTAMP =
      new Rule(
          "must be an RFC 3339 time from 1970 to 9999",
          text -> Rfc3339.isServerTime(Rfc3339.millis(text)));
  public static final Rule PLAIN =
      new Rule(
          "must have 1 to " + MAX_PLAIN + " printable ASCII characters except quote and backslash",
          Rule::isPlain);

  /** Accepts only the room of the connection. */
  static Rule room(RoomId room) {
    return new Rule("must be absent or the room of the URL, " + room, room.value()::equals);
  }

  /** Returns the rule for the length of a message. */
  static Rule ofMessage(MessageType type, Extras extras) {
    if (type != MessageType.TEXT) {
      return REMARK;
    }
    return TextKind.of(extras.kind()).mayBeEmpty(extras.data() != null) ? TEXT_OR_NONE : TEXT;
  }

  /** Returns the rule for a message with these limits, in code points. */
  static Rule message(int min, int max) {
    return new Rule(
        "must have " + min + " to " + max + " characters",
        text -> {
          int points = text.codePointCount(0, text.length());
          return points >= min && points <= max;
        });
  }

  private static boolean isName(String text) {
    return !text.isBlank()
        && text.codePointCount(0, text.length()) <= MAX_USERNAME
        && text.codePoints().noneMatch(Rule::isUnfitForNames);
  }

  /** Such characters could imitate other names or disturb the line that shows them. */
  private static boolean isUnfitForNames(int point) {
    boolean isDirection =
        (point >= 0x202A && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069);
    return isDirection
        || switch (Character.getType(point)) {
          case Character.CONTROL,
              Character.SURROGATE,
              Character.LINE_SEPARATOR,
              Character.PARAGRAPH_SEPARATOR ->
              true;
          default -> false;
        };
  }

  static boolean isPlain(String text) {
    return Alphabet.PLAIN.spells(text, 1, MAX_PLAIN);
  }

  private static boolean isType(String text) {
    for (MessageType type : MessageType.values()) {
      if (type.name().equals(text)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isUserNumber(String text) {
    if (text.isEmpty() || text.length() > MAX_USER_NUMBER_DIGITS || text.charAt(0) == '0') {
      return false;
    }
    int value = 0;
    for (int i = 0; i < text.length(); i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return false;
      }
      value = 10 * value + digit;
    }
    return value <= MAX_USER_NUMBER;
  }
}
