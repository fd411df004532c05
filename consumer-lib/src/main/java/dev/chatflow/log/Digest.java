package dev.chatflow.log;

import org.jspecify.annotations.Nullable;

/**
 * What a lane says of its members, so that whoever knows others notices: header {@code x-members},
 * such as {@code 42/1250/9f3c}.
 *
 * @param flight the lane's number behind which this holds
 * @param members how many
 * @param hash the XOR of one hash of room, user and session for each
 */
public record Digest(long flight, int members, long hash) {

  private static final int PARTS = 3;
  private static final int RADIX = 16;

  /** Reads a header; null when it is none. */
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
