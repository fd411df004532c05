package dev.chatflow.record;

import dev.chatflow.broker.BrokerConnector;
import dev.chatflow.broker.ShardMismatchException;
import dev.chatflow.broker.Topology;
import dev.chatflow.log.PositionReader;
import dev.chatflow.log.ReaderConfig;
import dev.chatflow.log.ReaderMeter;
import dev.chatflow.log.amqp.AmqpLogs;
import dev.chatflow.room.Shard;
import dev.chatflow.support.Progress;
import dev.chatflow.support.StepThread;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Records the logs of all shards in a store, with the readers, their thread {@code chat-reader},
 * and the writer. Thread-safe.
 */
public final class LogRecorder implements AutoCloseable {

  /** Bytes that a stream needs for an entry in addition to its body: headers, properties. */
  private static final int STREAM_ENTRY_BYTES = 200;

  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Interval of progress checks. */
  private static final long STALL_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Age from which unwritten messages count as a backlog. */
  private static final long BEHIND_MILLIS = 5_000;

  /** The state of recording. */
  public enum State {
    /** The logs or the store have not been available yet. */
    STARTING,
    UP,
    /** Messages older than 5 s are not written yet. */
    BEHIND,
    /** The store or the broker is unavailable, or recording has stopped for another reason. */
    AWAY
  }

  /** The state of one shard's reader, with its trouble. */
  public record LogState(int shard, PositionReader.State state, String trouble) {}

  /**
   * The objects the recorder works with.
   *
   * @param fresh whether a new archive starts with messages from now on
   */
  public record Parts(
      BrokerConnector connector,
      Store store,
      ReaderConfig config,
      int retentionDays,
      boolean fresh,
      InstantSource clock,
      RecordMeter meter,
      ReaderMeter readerMeter) {}

  private final Parts parts;
  private final AmqpLogs logs;
  private final StoreWriter writer;
  private final StepThread thread = new StepThread("chat-reader");
  private final StepThread watch = new StepThread("chat-watch");
  private final List<Progress> reading;
  private final Progress storing = new Progress();
  private final List<RowConverter> keepers;
  private final RetentionEstimate cover;
  private volatile List<PositionReader> followers = List.of();
  private volatile boolean started;

  // Guarded by this.
  private boolean closed;

  public LogRecorder(Parts parts) {
    this.parts = parts;
    int shards = parts.config().shards();
    this.logs = AmqpLogs.forReader(parts.connector(), shards);
    this.writer =
        new StoreWriter(
            new StoreWriter.Parts(
                parts.store(),
                shards,
                parts.fresh() ? parts.clock().millis() : 0,
                parts.retentionDays(),
                parts.clock(),
                parts.meter(),
                logs::sendDeadLetter,
                this::follow));
    this.keepers =
        IntStream.range(0, shards)
            .mapToObj(shard ->
                new RowConverter(
                    shard, writer.waiting(), this::entryBytes, parts.clock(), parts.meter()))
            .toList();
    this.reading = keepers.stream().map(_ -> new Progress()).toList();
    this.cover =
        new RetentionEstimate(
            keepers.stream().map(keeper -> (LongSupplier) keeper::bytesRead).toList(),
            this::logBytes,
            System.nanoTime());
  }

  private long logBytes() {
    return isRing() ? parts.config().ringBytes() : Topology.LOG_LEAST_BYTES;
  }

  /** Returns the bytes that an entry takes in its log. */
  private long entryBytes(int bodyBytes) {
    return isRing() ? parts.config().ringShare(bodyBytes) : bodyBytes + STREAM_ENTRY_BYTES;
  }

  private boolean isRing() {
    return logs.isOpen() && !logs.haveOffsets();
  }

  public void start() {
    writer.start();
    watch.start(
        List.of(now -> {
          String _ = stall();
          return STALL_NANOS;
        }));
  }

  /** Starts reading the logs after the stored positions, once the store is open. */
  private synchronized void follow(Map<Integer, Store.Mark> marks) {
    if (closed) {
      return;
    }
    List<PositionReader> all = new ArrayList<>();
    for (RowConverter keeper : keepers) {
      int shard = all.size();
      Store.Mark mark = marks.get(shard);
      all.add(
          new PositionReader(
              new PositionReader.Parts(
                  new Shard(shard),
                  logs,
                  keeper,
                  parts.readerMeter(),
                  parts.config(),
                  mark == null ? null : mark.position(),
                  parts.store().sinceMillis(),
                  thread::wake)));
    }
    followers = List.copyOf(all);
    List<StepThread.Passive> machines = new ArrayList<>(all);
    machines.add(now -> {
      cover.look(now);
      return LOOK_NANOS;
    });
    thread.start(machines);
  }

  /** Returns whether every message from now on will be recorded. */
  public boolean isReady() {
    List<PositionReader> all = followers;
    started |= !all.isEmpty() && all.stream().allMatch(PositionReader::isOpen);
    return started && trouble().isEmpty();
  }

  public State state() {
    if (!isReady()) {
      return started ? State.AWAY : State.STARTING;
    }
    return lagMillis() > BEHIND_MILLIS ? State.BEHIND : State.UP;
  }

  /** Returns why it does not record, for operators; empty without a problem. */
  public String trouble() {
    String store = writer.trouble();
    String broker = store.isEmpty() ? logs.trouble() : store;
    String log = broker.isEmpty() ? logTrouble() : broker;
    return log.isEmpty() ? stall() : log;
  }

  private String logTrouble() {
    return followers.stream()
        .map(PositionReader::trouble)
        .filter(trouble -> !trouble.isEmpty())
        .findFirst()
        .orElse("");
  }

  /** Returns why nothing is recorded; empty while it is. */
  private String stall() {
    long now = System.nanoTime();
    if (storing.stalls(writer.isBusy(), writer.written(), now)) {
      return "the database has not finished a transaction for 8 s";
    }
    for (PositionReader each : followers) {
      int shard = each.shard().index();
      if (reading.get(shard).stalls(each.waits(), each.arrived(), now)) {
        return "the log of shard " + shard + " has not been read for 8 s";
      }
    }
    return thread.trouble();
  }

  /** Returns the failure that prevents it from continuing, or null. */
  public @Nullable StoreException failure() {
    return writer.failure();
  }

  /** Returns the mismatch if the cluster has a different number of shards, or null. */
  public @Nullable ShardMismatchException mismatch() {
    return logs.failure();
  }

  /**
   * Returns the age in ms of the oldest message that was read and is not written; 0 if all are
   * written.
   */
  public long lagMillis() {
    return writer.lagMillis();
  }

  /** Returns the number of messages that were read and wait for a commit. */
  public int waiting() {
    return writer.waiting().count();
  }

  /**
   * Returns for how many seconds the shard logs hold messages; {@link Long#MAX_VALUE} if unknown.
   */
  public long coverSeconds() {
    return cover.seconds();
  }

  public List<LogState> logs() {
    return followers.stream()
        .map(each -> new LogState(each.shard().index(), each.state(), each.trouble()))
        .toList();
  }

  /** Writes everything that was read, then ends. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    watch.close();
    if (!followers.isEmpty()) { // otherwise it was never started
      thread.close();
    }
    writer.close();
  }
}
