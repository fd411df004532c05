package dev.chatflow.server.publish;

import dev.chatflow.message.MessageType;
import dev.chatflow.room.RoomId;
import org.jspecify.annotations.Nullable;

/**
 * A line that was taken and has not been sent.
 *
 * @param bytes its broker line, without the newline; not changed any more
 * @param read the greatest own number that could be named when it was taken, see {@link
 *     LaneBook#nameable}
 * @param acceptedNanos when it was taken
 * @param fate who wants to know what became of it, if anybody
 */
@SuppressWarnings("ArrayRecordComponent") // handed over, never compared
public record WaitingLine(
    RoomId room,
    byte[] bytes,
    String messageId,
    MessageType type,
    long read,
    long acceptedNanos,
    @Nullable Fate fate) {

  public WaitingLine {
    if (bytes.length == 0) {
      throw new IllegalArgumentException("a line has content");
    }
  }
}
