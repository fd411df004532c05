package dev.chatflow.room;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A connection that records the calls on it; closing it closes its sink.
 *
 * <p>Thread-safe.
 */
public final class FakeMember implements Member {

  private final String connectionId;
  private final FakeSink sink = new FakeSink();
  private final List<Boolean> pauses = new CopyOnWriteArrayList<>();

  private volatile @Nullable CloseReason closeReason;
  private volatile Past past = Past.NONE;
  private volatile int enteredAt = -1;

  public FakeMember(String connectionId) {
    this.connectionId = connectionId;
  }

  @Override
  public String connectionId() {
    return connectionId;
  }

  @Override
  public FakeSink sink() {
    return sink;
  }

  /** Sets the request of its next JOIN. */
  public FakeMember asking(Past asked) {
    past = asked;
    return this;
  }

  /** Returns this connection as its JOIN brings it into a room. */
  public RoomEvent.Newcomer joining() {
    return new RoomEvent.Newcomer(this, past);
  }

  @Override
  public void entered() {
    enteredAt = texts().size();
  }

  @Override
  public void sendPrivately(byte[] frame) {
    sink.sentPrivately(frame);
  }

  /** Returns how many frames it had when its JOIN was reported as written; -1 before. */
  public int enteredAt() {
    return enteredAt;
  }

  @Override
  public synchronized void close(CloseReason reason) {
    if (closeReason == null) {
      closeReason = reason;
    }
    sink.close();
  }

  @Override
  public void pauseWhileBehind(boolean behind) {
    pauses.add(behind);
  }

  /** Returns the reason of its first close; null while it is open. */
  public @Nullable CloseReason closeReason() {
    return closeReason;
  }

  /** Returns every call of {@link #pauseWhileBehind}, in order. */
  public List<Boolean> pauses() {
    return List.copyOf(pauses);
  }

  public List<String> texts() {
    return sink.texts();
  }
}
