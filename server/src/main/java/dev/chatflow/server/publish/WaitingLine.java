package dev.chatflow.server.publish;

import dev.chatflow.message.MessageType;
import dev.chatflow.room.RoomId;
import org.jspecify.annotations.Nullable;

/**
 * An accepted line that has not been sent.
 *
 * @param bytes its broker line, without the newline; not modified
 * @param read the greatest number of the lane that could be named when it was accepted, see {@link
 *     LaneBook#nameable}
 * @param acceptedNanos when it was accepted
 * @param fate receives its fate, or null
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
