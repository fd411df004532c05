package dev.chatflow.record;

import dev.chatflow.broker.BrokerException;
import dev.chatflow.log.LogPosition;
import dev.chatflow.message.DeadLetter;
import dev.chatflow.record.StoreException.Cause;
import dev.chatflow.support.BackOff;
import dev.chatflow.support.UncaughtHandler;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what the readers read, with one commit in flight; everything that arrives during a commit
 * forms the next batch.
 *
 * <p>Only its thread {@code chat-store} calls the store. If the store is unavailable, the same
 * batch is tried again; after each failure, the stored positions show whether the batch was
 * written. A row that the database rejects goes to the dead letters, and the others of its batch
 * are written. Old messages are deleted between batches.
 */
final class StoreWriter implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(StoreWriter.class);

  private static final int FIRST_RETRY_MILLIS = 100;
  private static final int MAX_RETRY_MILLIS = 5_000;
  private static final int MAX_REASON = 255; // it is sent in an AMQP header
  private static final Duration END = Duration.ofSeconds(20);
  private static final long RETAIN_EVERY_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** Counts are kept this long, and at least as long as messages. */
  private static final int COUNTS_DAYS = 400;

  /** Receives rows that the database rejects. */
  @FunctionalInterface
  interface DeadLetters {
    void sendDeadLetter(DeadLetter letter) throws BrokerException;
  }

  /**
   * The objects the writer works with.
   *
   * @param sinceMillis start of a new archive; see {@link Store#open}
   * @param retentionDays how long messages are kept
   * @param opened called once, with how far each shard is recorded
   */
  record Parts(
      Store store,
      int shards,
      long sinceMillis,
      int retentionDays,
      InstantSource clock,
      RecordMeter meter,
      DeadLetters deadLetters,
      Consumer<Map<Integer, Store.Mark>> opened) {}

  private final Parts parts;
  private final Store store;
  private final PendingRows waiting = new PendingRows();
  private final BackOff retries = new BackOff(FIRST_RETRY_MILLIS, MAX_RETRY_MILLIS);
  private final Thread thread =
      Thread.ofPlatform()
          .name("chat-store")
          .daemon()
          .uncaughtExceptionHandler(new UncaughtHandler())
          .unstarted(this::run);

  private volatile String trouble = "";
  private volatile @Nullable StoreException failure;
  private volatile boolean open;
  private volatile long inAirMillis = Long.MAX_VALUE;
  private volatile boolean writing;
  private final LongAdder written = new LongAdder();

  // Used only by the thread.
  private Map<Integer, Store.Mark> marks = Map.of();
  private boolean retaining;
  private long retainedNanos = System.nanoTime() - RETAIN_EVERY_NANOS;

  StoreWriter(Parts parts) {
    this.parts = parts;
    this.store = parts.store();
  }

  void start() {
    thread.start();
  }

  PendingRows waiting() {
    return waiting;
  }

  /** Returns whether the store was ever open. */
  boolean isOpen() {
    return open;
  }

  /** Returns why nothing can be written, for operators; empty without a problem. */
  String trouble() {
    return trouble;
  }

  /** Returns the failure that prevents any further write, or null. */
  @Nullable StoreException failure() {
    return failure;
  }

  /** Returns whether something was read that is not written. */
  boolean isBusy() {
    return writing || waiting.count() > 0;
  }

  /** Returns the number of batches written since the start. */
  long written() {
    return written.sum();
  }

  /**
   * Returns the age in ms of the oldest row that was read and is not written; 0 if all are written.
   */
  long lagMillis() {
    long oldest = Math.min(inAirMillis, waiting.oldestMillis());
    return oldest == Long.MAX_VALUE ? 0 : Math.max(0, parts.clock().millis() - oldest);
  }

  private void run() {
    try {
      if (opens()) {
        parts.opened().accept(marks);
        write();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (StoreException e) {
      failed(e);
      log.error("the archive cannot be written: {}", e.getMessage());
    } catch (RuntimeException e) {
      failed(StoreException.failed(store.name(), e));
      log.error("the archive cannot be written", e);
    } finally {
      store.close();
    }
  }

  private void failed(StoreException why) {
    failure = why;
    trouble = String.valueOf(why.getMessage());
  }

  private boolean opens() throws StoreException, InterruptedException {
    while (!waiting.isClosed()) {
      try {
        marks = store.open(parts.shards(), parts.sinceMillis());
        open = true;
        well();
        return true;
      } catch (StoreException e) {
        if (e.why() == Cause.UNUSABLE) {
          throw e;
        }
        storeUnavailable(e);
      }
    }
    return false;
  }

  private void write() throws StoreException, InterruptedException {
    while (true) {
      WriteBatch batch = waiting.take();
      if (batch != null) {
        inAirMillis = oldest(batch);
        writing = true;
        write(batch);
        written.increment();
        writing = false;
        inAirMillis = Long.MAX_VALUE;
      } else if (waiting.isClosed()) {
        return;
      }
      retain();
    }
  }

  private static long oldest(WriteBatch batch) {
    return batch.rows().values().stream()
        .flatMap(List::stream)
        .mapToLong(Row::atMillis)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  private void write(WriteBatch batch) throws StoreException, InterruptedException {
    WriteBatch left = batch;
    while (true) {
      long begun = System.nanoTime();
      try {
        marks = store.append(left, marks);
        parts.meter().committed(left.messages(), System.nanoTime() - begun, lagMillis());
        well();
        return;
      } catch (StoreException e) {
        if (e.why() == Cause.FENCED || e.why() == Cause.UNUSABLE) {
          throw e;
        }
        WriteBatch acceptable = e.why() == Cause.REFUSED ? acceptable(left, e) : null;
        if (acceptable != null) {
          left = acceptable;
        } else if (isThereAfter(e, left)) {
          return;
        }
      }
    }
  }

  // --- unavailable store

  private void well() {
    if (!trouble.isEmpty()) {
      log.info("writing to the archive {} continues", store.name());
    }
    trouble = "";
    retries.reset();
  }

  private void storeUnavailable(StoreException e) throws InterruptedException {
    String why = String.valueOf(e.getMessage());
    if (!why.equals(trouble)) {
      log.warn("{}, retrying", why);
      trouble = why;
    }
    parts.meter().failed();
    waiting.pause(retries.nextMillis());
  }

  /**
   * Opens the store again and returns whether it contains the batch, because a lost answer leaves
   * the outcome of a commit unknown.
   */
  private boolean isThereAfter(StoreException failed, WriteBatch batch)
      throws StoreException, InterruptedException {
    StoreException last = failed;
    while (true) {
      storeUnavailable(last);
      if (waiting.isClosed()) {
        throw new InterruptedException(
            "ended while the database is unavailable: unwritten messages are read again at the next start");
      }
      try {
        Map<Integer, Store.Mark> found = store.open(parts.shards(), parts.sinceMillis());
        if (found.equals(marks)) {
          return false;
        }
        if (!isBehind(found, batch)) {
          throw StoreException.fenced(store.name());
        }
        marks = found;
        well();
        return true;
      } catch (StoreException e) {
        if (e.why() == Cause.FENCED || e.why() == Cause.UNUSABLE) {
          throw e;
        }
        last = e;
      }
    }
  }

  private static boolean isBehind(Map<Integer, Store.Mark> found, WriteBatch batch) {
    for (Map.Entry<Integer, LogPosition> each : batch.positions().entrySet()) {
      Store.Mark mark = found.get(each.getKey());
      if (mark == null || !mark.position().equals(each.getValue())) {
        return false;
      }
    }
    return true;
  }

  // --- rejected rows

  /**
   * Returns the batch without the rows that the database rejects, which go to the dead letters
   * first; null if the database became unavailable, or accepts each row on its own.
   */
  private @Nullable WriteBatch acceptable(WriteBatch batch, StoreException refusal)
      throws StoreException, InterruptedException {
    List<Row> refused = new ArrayList<>();
    for (Map.Entry<Integer, List<Row>> ofShard : batch.rows().entrySet()) {
      try {
        find(ofShard.getKey(), ofShard.getValue(), refused);
      } catch (StoreException e) {
        if (e.why() == Cause.FENCED || e.why() == Cause.UNUSABLE) {
          throw e;
        }
        return null;
      }
    }
    String reason = String.valueOf(refusal.getMessage());
    for (Row row : refused) {
      sendDeadLetter(row, reason);
    }
    return refused.isEmpty() ? null : PendingRows.without(batch, refused);
  }

  /** Finds the rejected rows by bisection. */
  private void find(int shard, List<Row> rows, List<Row> refused) throws StoreException {
    if (rows.isEmpty()
        || store.accepts(new WriteBatch(Map.of(shard, rows), Map.of(), List.of()), marks)) {
      return;
    }
    if (rows.size() == 1) {
      refused.addAll(rows);
      return;
    }
    int half = rows.size() / 2;
    find(shard, rows.subList(0, half), refused);
    find(shard, rows.subList(half, rows.size()), refused);
  }

  private void sendDeadLetter(Row row, String reason) throws InterruptedException {
    parts.meter().poison();
    DeadLetter letter =
        new DeadLetter(
            row.frame().getBytes(StandardCharsets.UTF_8),
            reason.substring(0, Math.min(reason.length(), MAX_REASON)));
    while (!waiting.isClosed()) {
      try {
        parts.deadLetters().sendDeadLetter(letter);
        log.warn("a message of room {} was rejected by the database: {}", row.room(), reason);
        return;
      } catch (BrokerException e) {
        trouble = String.valueOf(e.getMessage());
        waiting.pause(retries.nextMillis());
      }
    }
  }

  // --- retention

  /** Deletes old messages: one step between two batches, and further ones while idle. */
  private void retain() throws StoreException {
    long now = System.nanoTime();
    if (!retaining && now - retainedNanos < RETAIN_EVERY_NANOS) {
      return;
    }
    retainedNanos = now;
    long today = TimeUnit.MILLISECONDS.toDays(parts.clock().millis());
    int days = parts.retentionDays();
    try {
      do {
        retaining = store.retain(today - days, today - Math.max(days, COUNTS_DAYS));
        if (retaining) {
          parts.meter().retained();
        }
      } while (retaining && waiting.count() == 0 && !waiting.isClosed());
    } catch (StoreException e) {
      if (e.why() != Cause.AWAY) {
        throw e;
      }
      log.warn("{}", e.getMessage()); // the next batch finds out, and waits
    }
  }

  /** Writes what is waiting if the store is available; nothing may be added any more. */
  @Override
  public void close() {
    waiting.close();
    try {
      if (thread.isAlive() && !thread.join(END)) {
        log.warn(
            "the database did not answer: unwritten messages are read again at the next start");
        thread.interrupt();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
