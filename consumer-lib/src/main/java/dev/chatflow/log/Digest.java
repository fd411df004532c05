package dev.chatflow.log;

import org.jspecify.annotations.Nullable;

/**
 * A lane's summary of its members, by which readers detect a difference: header {@code x-members},
 * such as {@code 42/1250/9f3c}.
 *
 * @param flight the number of the lane's entry after which it holds
 * @param members number of members
 * @param hash the XOR of one hash of room, user and connection per member
 */
public record Digest(long flight, int members, long hash) {

  private static final int PARTS = 3;
  private static final int RADIX = 16;

  /** Parses a header; null if it is malformed. */
  public static @Nullable Digest parse(String header) {
    String[] parts = header.split("/", -1);
    try {
      return parts.length == PARTS
          ? new Digest(
              Long.parseLong(parts[0]),
              Integer.parseInt(parts[1]),
              Long.parseUnsignedLong(parts[2], RADIX))
          : null;
    } catch (NumberFormatException _) {
      return null;
    }
  }

  @Override
  public String toString() {
    return flight + "/" + members + "/" + Long.toUnsignedString(hash, RADIX);
  }
}
