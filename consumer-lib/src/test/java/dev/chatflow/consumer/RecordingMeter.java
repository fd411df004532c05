package dev.chatflow.consumer;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Remembers what it was told. */
public final class RecordingMeter implements ConsumerMeter {

  public final AtomicInteger unacked = new AtomicInteger();
  public final AtomicInteger poison = new AtomicInteger();
  public final AtomicInteger consumed = new AtomicInteger();
  public final AtomicInteger gaps = new AtomicInteger();
  public final List<Duration> endToEnds = new CopyOnWriteArrayList<>();
  public final AtomicInteger duplicates = new AtomicInteger();

  @Override
  public void endToEnd(Duration acceptToTaken) {
    endToEnds.add(acceptToTaken);
  }

  @Override
  public void consumed(int messages) {
    consumed.addAndGet(messages);
  }

  @Override
  public void duplicate() {
    duplicates.incrementAndGet();
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
