package dev.chatflow.standalone.record;

import java.nio.charset.StandardCharsets;

/**
 * A record as it is read back.
 *
 * @param position its place in the room's history, from 1
 * @param serverMillis when its server accepted it, in ms since the epoch
 * @param arrivalNanos {@link System#nanoTime} when it was recorded
 * @param bytes the broadcast frame
 */
@SuppressWarnings("ArrayRecordComponent") // a view: never compared, never changed
public record Kept(long position, long serverMillis, long arrivalNanos, byte[] bytes) {

  public String json() {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
