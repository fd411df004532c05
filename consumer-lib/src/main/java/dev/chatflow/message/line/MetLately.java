package dev.chatflow.message.line;

import dev.chatflow.room.RoomId;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The room ids met lately, so that a line's room costs no new object.
 *
 * <p>Any thread: entries are immutable, and who overwrites one costs another thread a new object at
 * most. {@value #SLOTS} entries, each overwritten by the next id of its slot.
 */
final class RoomIds {

  private static final int SLOTS = 1024; // a power of two; 20 to some 1,000 rooms are busy at once

  private final @Nullable RoomId[] slots = new @Nullable RoomId[SLOTS];

  /** The id of those bytes, which are known to be well-formed. */
  RoomId of(byte[] bytes, int from, int to) {
    int slot = (int) IdHash.of(bytes, from, to) & (SLOTS - 1);
    RoomId known = slots[slot];
    if (known != null && isSpelt(known.value(), bytes, from, to)) {
      return known;
    }
    RoomId met = new RoomId(new String(bytes, from, to - from, StandardCharsets.US_ASCII));
    slots[slot] = met;
    return met;
  }

  private static boolean isSpelt(String value, byte[] bytes, int from, int to) {
    if (value.length() != to - from) {
      return false;
    }
    for (int i = from; i < to; i++) {
      if (value.charAt(i - from) != bytes[i]) {
        return false;
      }
    }
    return true;
  }
}
