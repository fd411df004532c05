package dev.chatflow.room;

import java.nio.charset.StandardCharsets;

/**
 * The identity of a broadcast: the four fields by which a client names the last frame it has.
 *
 * @param messageType {@code TEXT}, {@code JOIN} or {@code LEAVE}
 * @param userId made of letters that JSON does not escape
 * @param messageId made of letters that JSON does not escape
 * @param serverTimestamp as written in the frame
 * @param serverMillis the same time in ms since the epoch
 */
public record FrameName(
    String messageType,
    String userId,
    String messageId,
    String serverTimestamp,
    long serverMillis) {

  // Odd constants with well-spread bits: the golden ratio and a constant of MurmurHash3's
  // finalizer.
  private static final long SPREAD = 0x9E3779B97F4A7C15L;
  private static final long MIX = 0xFF51AFD7ED558CCDL;

  /** Returns its four fields as a JSON object. */
  public String toJson() {
    return "{\"messageType\":\"%s\",\"userId\":\"%s\",\"messageId\":\"%s\",\"serverTimestamp\":\"%s\"}"
        .formatted(messageType, userId, messageId, serverTimestamp);
  }

  /** Returns the 64-bit hash by which a log finds the frame; different frames may share it. */
  public long hash() {
    byte[] user = userId.getBytes(StandardCharsets.US_ASCII);
    byte[] id = messageId.getBytes(StandardCharsets.US_ASCII);
    return hash(hash(serverMillis, user, 0, user.length), id, 0, id.length);
  }

  /**
   * Computes the same hash in steps: from time and user, then from that result and the message id.
   *
   * @param before the result of the previous step, or the server timestamp in ms since the epoch
   * @param from index of the first byte of the user or id
   * @param to index after the last byte
   */
  public static long hash(long before, byte[] bytes, int from, int to) {
    long hash = before * SPREAD;
    for (int at = from; at < to; at++) {
      hash = (hash ^ bytes[at]) * SPREAD;
    }
    return (hash ^ (hash >>> 32)) * MIX;
  }

  /**
   * Returns whether this is the name of the broadcast. A quote within a JSON string follows a
   * backslash, so the text searched for here occurs only at the positions of these fields.
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
