package dev.chatflow.consumer;

import dev.chatflow.room.Shard;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Remembers what it was told. */
final class RecordingMeter implements ConsumerMeter {

  final AtomicInteger unacked = new AtomicInteger();
  final AtomicInteger poison = new AtomicInteger();
  final AtomicInteger consumedOwn = new AtomicInteger();
  final AtomicInteger consumedForeign = new AtomicInteger();
  final List<Shard> gaps = new CopyOnWriteArrayList<>();
  final List<Duration> lags = new CopyOnWriteArrayList<>();
  final List<Duration> endToEnds = new CopyOnWriteArrayList<>();
  final List<Duplicate> duplicates = new CopyOnWriteArrayList<>();

  @Override
  public void lag(Duration publishToHandOff, int messages) {
    lags.add(publishToHandOff);
  }

  @Override
  public void append(Duration handOffToAppend) {}

  @Override
  public void endToEnd(Duration acceptToAppend, int messages) {
    endToEnds.add(acceptToAppend);
  }

  @Override
  public void consumed(int messages, boolean own) {
    (own ? consumedOwn : consumedForeign).addAndGet(messages);
  }

  @Override
  public void duplicate(Duplicate kind) {
    duplicates.add(kind);
  }

  @Override
  public void gap(Shard shard) {
    gaps.add(shard);
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
