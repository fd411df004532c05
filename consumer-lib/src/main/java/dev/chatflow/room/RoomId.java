package dev.chatflow.room;

/**
 * The id of a room: 1 to 64 of {@code A-Z a-z 0-9 _ -}, case-sensitive.
 *
 * @param value the id as it stands in URLs, frames and routing keys
 */
public record RoomId(String value) {

  /** The greatest length of an id, in characters. */
  public static final int MAX_LENGTH = 64;

  /** What an id must be, for people. */
  public static final String RULE = "1 to " + MAX_LENGTH + " of A-Z a-z 0-9 _ -";

  public RoomId {
    if (!isValid(value)) {
      throw new IllegalArgumentException("room id must be " + RULE + ", not '" + value + "'");
    }
  }

  /** Whether {@code text} can be a room id. */
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
