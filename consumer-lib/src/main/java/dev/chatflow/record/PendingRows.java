package dev.chatflow.record;

import dev.chatflow.log.LogPosition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The rows that were read and wait for a commit; together they are the next batch.
 *
 * <p>Thread-safe. Bounded: {@link #hasSpace} returns false when no further entry may be taken; the
 * current entry may exceed the bound.
 */
final class PendingRows {

  static final int MAX_ROWS = 10_000;
  static final long MAX_BYTES = 4 << 20;

  /** Time after which a position is written even without rows. */
  private static final long PATIENCE_MILLIS = 5_000;

  // Guarded by this.
  private Map<Integer, List<Row>> rows = new TreeMap<>();
  private Map<Integer, LogPosition> positions = new TreeMap<>();
  private List<WriteBatch.Gap> gaps = new ArrayList<>();
  private int count;
  private long bytes;
  private long oldestMillis = Long.MAX_VALUE;
  private boolean closed;

  synchronized boolean hasSpace() {
    return count < MAX_ROWS && bytes < MAX_BYTES;
  }

  /** Adds the rows of an entry and its position to the next batch. */
  synchronized void add(int shard, List<Row> ofEntry, LogPosition behind) {
    if (!ofEntry.isEmpty()) {
      rows.computeIfAbsent(shard, _ -> new ArrayList<>()).addAll(ofEntry);
      for (Row row : ofEntry) {
        bytes += row.bytes();
        oldestMillis = Math.min(oldestMillis, row.atMillis());
      }
      count += ofEntry.size();
      notifyAll();
    }
    positions.put(shard, behind);
  }

  synchronized void gap(int shard, long nowMillis, String why) {
    gaps.add(new WriteBatch.Gap(shard, nowMillis, rows.getOrDefault(shard, List.of()).size(), why));
    notifyAll();
  }

  /**
   * Takes everything as soon as there are rows or gaps; positions without rows only after a while.
   *
   * @return null if nothing arrived during the wait
   */
  synchronized @Nullable WriteBatch take() throws InterruptedException {
    long end = System.nanoTime() + PATIENCE_MILLIS * 1_000_000;
    while (count == 0 && gaps.isEmpty() && !closed) {
      long millis = (end - System.nanoTime()) / 1_000_000;
      if (millis <= 0) {
        break;
      }
      wait(millis);
    }
    if (positions.isEmpty() && gaps.isEmpty()) {
      return null;
    }
    WriteBatch batch = new WriteBatch(rows, positions, List.copyOf(gaps));
    rows = new TreeMap<>();
    positions = new TreeMap<>();
    gaps = new ArrayList<>();
    count = 0;
    bytes = 0;
    oldestMillis = Long.MAX_VALUE;
    return batch;
  }

  /** Waits, but not beyond {@link #close}. */
  synchronized void pause(int millis) throws InterruptedException {
    long end = System.nanoTime() + millis * 1_000_000L;
    for (long left = millis; left > 0 && !closed; left = (end - System.nanoTime()) / 1_000_000) {
      wait(left);
    }
  }

  /** Closes it: nothing more is added. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }

  synchronized boolean isClosed() {
    return closed;
  }

  synchronized int count() {
    return count;
  }

  /**
   * Returns when the oldest row was accepted, in ms since the epoch; {@link Long#MAX_VALUE} if
   * there is none.
   */
  synchronized long oldestMillis() {
    return oldestMillis;
  }

  /** Returns a batch's rows by shard, without some of them. */
  static WriteBatch without(WriteBatch batch, List<Row> refused) {
    Map<Integer, List<Row>> left = new HashMap<>();
    batch
        .rows()
        .forEach((shard, all) -> {
          List<Row> kept = new ArrayList<>(all);
          kept.removeIf(row -> refused.stream().anyMatch(one -> isSame(one, row)));
          left.put(shard, kept);
        });
    return new WriteBatch(left, batch.positions(), batch.gaps());
  }

  @SuppressWarnings("ReferenceEquality") // the identical row: another one may be equal
  private static boolean isSame(Row one, Row other) {
    return one == other;
  }
}
