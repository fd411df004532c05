package dev.chatflow.server.edge;

import dev.chatflow.server.sink.MemberSink;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Answers to resends that wait until their connection's own JOIN has been written: what comes
 * before it is the past of the room.
 *
 * <p>Bounded by its user, who stops to read when {@link #hold} says that it is full.
 */
public final class HeldAnswers {

  private volatile boolean released;

  // Guarded by this.
  private final List<byte[]> frames = new ArrayList<>();

  /** What became of an answer. */
  public enum Held {
    /** It waits. */
    YES,
    /** It waits, and no more should be caused until the release. */
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
   * Its own JOIN has been written: what waited goes, in order, before whatever comes next; nothing
   * the next time.
   *
   * @param send called under this object's lock
   * @return whether anything had waited
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
