package dev.chatflow.room.log;

import java.nio.charset.StandardCharsets;

/**
 * What names a broadcast of a room: the four fields by which a client says which frame it has.
 *
 * @param messageType {@code TEXT}, {@code JOIN} or {@code LEAVE}
 * @param userId 1 to 100000
 * @param messageId of letters that JSON does not escape
 * @param serverTimestamp as it stands in the frame
 * @param serverMillis the same in ms since the epoch
 */
public record FrameName(
    String messageType, int userId, String messageId, String serverTimestamp, long serverMillis) {

  // Odd constants with well-spread bits: the golden ratio's, and one of the finalizer of
  // MurmurHash3.
  private static final long SPREAD = 0x9E3779B97F4A7C15L;
  private static final long MIX = 0xFF51AFD7ED558CCDL;

  /** The 64 bits by which a log finds the frame; two frames may share them. */
  public long hash() {
    byte[] id = messageId.getBytes(StandardCharsets.US_ASCII);
    return hash(userId, serverMillis, id, 0, id.length);
  }

  /**
   * The same of a frame whose message id lies in {@code bytes}.
   *
   * @param from index of the id's first byte
   * @param to index behind its last one
   */
  public static long hash(int userId, long serverMillis, byte[] bytes, int from, int to) {
    long hash = (serverMillis * SPREAD) ^ userId;
    for (int at = from; at < to; at++) {
      hash = (hash ^ bytes[at]) * SPREAD;
    }
    return (hash ^ (hash >>> 32)) * MIX;
  }

  /**
   * Whether it is the name of this broadcast. A quote within a JSON string stands behind a
   * backslash, so what is looked for here stands nowhere but in the places of these fields.
   */
  public boolean isOf(String broadcast) {
    return broadcast.startsWith("{\"messageType\":\"" + messageType + "\",")
        && broadcast.contains(",\"userId\":\"" + userId + "\",\"username\":\"")
        && broadcast.contains(
            ",\"messageId\":\""
                + messageId
                + "\",\"serverTimestamp\":\""
                + serverTimestamp
                + "\",\"serverId\":\"");
  }
}
