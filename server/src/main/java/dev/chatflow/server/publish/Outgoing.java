package dev.chatflow.server.publish;

import dev.chatflow.message.ChatMessage;
import dev.chatflow.message.MessageType;
import dev.chatflow.room.RoomId;
import org.jspecify.annotations.Nullable;

/** An accepted message on its way to the broker. */
public sealed interface Outgoing {

  RoomId room();

  /** {@link System#nanoTime} when it was accepted. */
  long acceptedNanos();

  /** What it counts for against the bound of a lane. */
  int weightBytes();

  /**
   * A TEXT or LEAVE as it will travel.
   *
   * @param bytes its broker line, without the newline; not changed any more
   * @param onConfirm called once by the lane's thread when the broker has it; must not park
   */
  @SuppressWarnings("ArrayRecordComponent") // handed over, never compared
  record Line(
      RoomId room,
      byte[] bytes,
      String messageId,
      MessageType type,
      long acceptedNanos,
      @Nullable Runnable onConfirm)
      implements Outgoing {

    /** A message whose confirm nobody waits for: its coming back is enough. */
    public Line(RoomId room, byte[] bytes, String messageId, MessageType type, long acceptedNanos) {
      this(room, bytes, messageId, type, acceptedNanos, null);
    }

    public Line {
      if (type == MessageType.JOIN) {
        throw new IllegalArgumentException("a JOIN is encoded by its lane, which stamps it");
      }
      if (bytes.length == 0) {
        throw new IllegalArgumentException("a line has content");
      }
    }

    @Override
    public int weightBytes() {
      return bytes.length;
    }
  }

  /** A JOIN: its lane stamps and encodes it, after the shard is bound. */
  record Join(ChatMessage message, long acceptedNanos) implements Outgoing {

    /** About the length of a line without its text. */
    private static final int FRAME_BYTES = 400;

    public Join {
      if (message.content().type() != MessageType.JOIN) {
        throw new IllegalArgumentException("not a JOIN but a " + message.content().type());
      }
    }

    @Override
    public RoomId room() {
      return message.room();
    }

    @Override
    public int weightBytes() {
      return FRAME_BYTES + message.content().message().length();
    }
  }
}
