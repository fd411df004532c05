package dev.chatflow.server.edge;

import dev.chatflow.server.sink.MemberSink;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Answers to repeated messages that wait until their connection's JOIN was written, because the
 * frames before it are the past of the room.
 *
 * <p>Bounded by its caller, which stops reading when {@link #hold} reports that it is full.
 */
public final class DelayedAnswers {

  private volatile boolean released;

  // Guarded by this.
  private final List<byte[]> frames = new ArrayList<>();

  /** The result of holding an answer. */
  public enum Held {
    /** It waits. */
    YES,
    /** It waits, and no more should be added until the release. */
    YES_AND_FULL,
    /** Nothing is held any more: send it. */
    NO
  }

  public Held hold(byte[] frame) {
    if (released) {
      return Held.NO;
    }
    synchronized (this) {
      if (released) {
        return Held.NO;
      }
      frames.add(frame);
      return frames.size() < MemberSink.MAILBOX_CAPACITY ? Held.YES : Held.YES_AND_FULL;
    }
  }

  /**
   * Sends the held answers in order, after the JOIN was written and before any later frame; nothing
   * on later calls.
   *
   * @param send called under this object's lock
   * @return whether any answer was held
   */
  public boolean release(Consumer<byte[]> send) {
    if (released) {
      return false;
    }
    synchronized (this) {
      boolean some = !frames.isEmpty();
      frames.forEach(send);
      frames.clear();
      released = true;
      return some;
    }
  }
}
