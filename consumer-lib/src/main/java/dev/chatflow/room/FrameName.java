package dev.chatflow.room;

import java.nio.charset.StandardCharsets;

/**
 * What names a broadcast of a room: the four fields by which a client says which frame it has.
 *
 * @param messageType {@code TEXT}, {@code JOIN} or {@code LEAVE}
 * @param userId of letters that JSON does not escape
 * @param messageId the same
 * @param serverTimestamp as it stands in the frame
 * @param serverMillis the same in ms since the epoch
 */
public record FrameName(
    String messageType,
    String userId,
    String messageId,
    String serverTimestamp,
    long serverMillis) {

  // Odd constants with well-spread bits: the golden ratio's, and one of the finalizer of
  // MurmurHash3.
  private static final long SPREAD = 0x9E3779B97F4A7C15L;
  private static final long MIX = 0xFF51AFD7ED558CCDL;

  /** The 64 bits by which a log finds the frame; two frames may share them. */
  public long hash() {
    byte[] user = userId.getBytes(StandardCharsets.US_ASCII);
    byte[] id = messageId.getBytes(StandardCharsets.US_ASCII);
    return hash(hash(serverMillis, user, 0, user.length), id, 0, id.length);
  }

  /**
   * The same in steps: of its time and its user, then of that and its message id.
   *
   * @param before the step before, or the server timestamp in ms since the epoch
   * @param from index of the first byte of user or id
   * @param to index behind the last one
   */
  public static long hash(long before, byte[] bytes, int from, int to) {
    long hash = before * SPREAD;
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
