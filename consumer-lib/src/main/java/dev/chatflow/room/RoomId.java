package dev.chatflow.room;

/**
 * The id of a room: 1 to 64 of {@code A-Z a-z 0-9 _ -}, case-sensitive.
 *
 * @param value the id as used in URLs, frames and routing keys
 */
public record RoomId(String value) {

  /** Maximum length of an id, in characters. */
  public static final int MAX_LENGTH = 64;

  /** The rule for ids, as shown to people. */
  public static final String RULE = "1 to " + MAX_LENGTH + " of A-Z a-z 0-9 _ -";

  public RoomId {
    if (!isValid(value)) {
      throw new IllegalArgumentException("room id must be " + RULE + ", not '" + value + "'");
    }
  }

  /** Returns whether {@code text} is a valid room id. */
  public static boolean isValid(String text) {
    if (text.isEmpty() || text.length() > MAX_LENGTH) {
      return false;
    }
    return text.chars().allMatch(RoomId::isAllowed);
  }

  private static boolean isAllowed(int c) {
    return (c >= 'A' && c <= 'Z')
        || (c >= 'a' && c <= 'z')
        || (c >= '0' && c <= '9')
        || c == '_'
        || c == '-';
  }

  @Override
  public String toString() {
    return value;
  }
}
