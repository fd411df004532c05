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
 * Records the logs of all shards in a store: the followers, their thread {@code chat-reader}, and
 * the writer. Any thread may call.
 */
public final class LogRecorder implements AutoCloseable {

  /** What a stream holds of an entry beside its body: headers, properties. */
  private static final int STREAM_ENTRY_BYTES = 200;

  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** How often progress is checked. */
  private static final long STALL_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Older than this is behind. */
  private static final long BEHIND_MILLIS = 5_000;

  /** How it is. */
  public enum State {
    /** It has not had its logs or its store yet. */
    STARTING,
    UP,
    /** What was said more than 5 s ago is not written. */
    BEHIND,
    /** The store or the broker is away, or nothing is recorded for another reason. */
    AWAY
  }

  /** One shard's log: what its reader does, and why it does not. */
  public record LogState(int shard, PositionReader.State state, String trouble) {}

  /**
   * What it works with.
   *
   * @param fresh whether a new record begins with what is said from now on
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
  private final List<ShardKeeper> keepers;
  private final Cover cover;
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
                new ShardKeeper(
                    shard, writer.waiting(), this::entryBytes, parts.clock(), parts.meter()))
            .toList();
    this.reading = keepers.stream().map(_ -> new Progress()).toList();
    this.cover =
        new Cover(
            keepers.stream().map(keeper -> (LongSupplier) keeper::bytesRead).toList(),
            this::logBytes,
            System.nanoTime());
  }

  private long logBytes() {
    return isRing() ? parts.config().ringBytes() : Topology.LOG_LEAST_BYTES;
  }

  /** What an entry takes of its log. */
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

  /** The store is open: the logs are read on behind what is in it. */
  private synchronized void follow(Map<Integer, Store.Mark> marks) {
    if (closed) {
      return;
    }
    List<PositionReader> all = new ArrayList<>();
    for (ShardKeeper keeper : keepers) {
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

  /** Whether everything that is said from now on will be recorded. */
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

  /** Why it does not record, in words for an operator; empty when nothing hinders it. */
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

  /** Why nothing is recorded; empty while it is. */
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

  /** Why it cannot go on; or null. */
  public @Nullable StoreException failure() {
    return writer.failure();
  }

  /** The cluster has another number of shards; or null. */
  public @Nullable ShardMismatchException mismatch() {
    return logs.failure();
  }

  /** How old the oldest message is that was read and is not written, in ms; 0 when all are. */
  public long lagMillis() {
    return writer.lagMillis();
  }

  /** Messages that were read and are not in the air yet. */
  public int waiting() {
    return writer.waiting().count();
  }

  /** For so many seconds the logs hold what is said; {@link Long#MAX_VALUE} when it is unknown. */
  public long coverSeconds() {
    return cover.seconds();
  }

  public List<LogState> logs() {
    return followers.stream()
        .map(each -> new LogState(each.shard().index(), each.state(), each.trouble()))
        .toList();
  }

  /** Writes what was read, then ends. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    watch.close();
    if (!followers.isEmpty()) { // else it was never started
      thread.close();
    }
    writer.close();
  }
}
