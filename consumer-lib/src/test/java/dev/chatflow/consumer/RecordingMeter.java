package dev.chatflow.consumer;

import dev.chatflow.consumer.room.IntakeMeter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Remembers what it was told. */
public final class RecordingMeter implements IntakeMeter {

  public final AtomicInteger unacked = new AtomicInteger();
  public final AtomicInteger poison = new AtomicInteger();
  public final AtomicInteger consumed = new AtomicInteger();
  public final AtomicInteger gaps = new AtomicInteger();
  public final List<Duration> lags = new CopyOnWriteArrayList<>();
  public final List<Duration> endToEnds = new CopyOnWriteArrayList<>();
  public final List<Duplicate> duplicates = new CopyOnWriteArrayList<>();

  @Override
  public void lag(Duration publishToHandOff) {
    lags.add(publishToHandOff);
  }

  @Override
  public void append(Duration handOffToAppend) {}

  @Override
  public void endToEnd(Duration acceptToTaken) {
    endToEnds.add(acceptToTaken);
  }

  @Override
  public void consumed(int messages) {
    consumed.addAndGet(messages);
  }

  @Override
  public void duplicate(Duplicate kind) {
    duplicates.add(kind);
  }

  @Override
  public void gap() {
    gaps.incrementAndGet();
  }

  @Override
  public void poison() {
    poison.incrementAndGet();
  }

  @Override
  public void unacked(int change) {
    unacked.addAndGet(change);
  }
}
