package dev.chatflow.delivery;

import dev.chatflow.broker.ShardMismatchException;
import dev.chatflow.log.ClusterTime;
import dev.chatflow.log.LaneReader;
import dev.chatflow.log.OwnLane;
import dev.chatflow.log.ReaderConfig;
import dev.chatflow.log.amqp.AmqpLogs;
import dev.chatflow.presence.Person;
import dev.chatflow.presence.PresenceLimit;
import dev.chatflow.presence.ShardPresence;
import dev.chatflow.room.FrameName;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.Rooms;
import dev.chatflow.room.Shard;
import dev.chatflow.support.Progress;
import dev.chatflow.support.StepThread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The readers of all shards of a server, with the threads {@code chat-reader-n} that step them and
 * tick their rooms. Thread n has the shards {@code s mod threads == n}.
 *
 * <p>Thread-safe.
 */
public final class ShardReaders implements AutoCloseable {

  private static final String TOO_MANY = "too many requests are waiting";
  private static final long TICK_NANOS = Duration.ofMillis(50).toNanos();

  private final AmqpLogs logs;
  private final List<LaneReader> readers;
  private final List<StepThread> threads;
  private final List<Rooms> rooms;
  private final Connections connections;
  private final List<RequestQueue> pasts;
  private final List<RequestQueue> peoples;
  private final List<ShardPresence> presence;
  private final List<Progress> progress;

  /**
   * The objects the readers work with.
   *
   * @param rooms the rooms of each thread, by its number
   * @param lane returns the lane of a shard
   * @param bound limits the members of all shards
   * @param quiet tracks large rooms
   */
  public record Parts(
      AmqpLogs logs,
      List<Rooms> rooms,
      Connections connections,
      ClusterTime time,
      Function<Shard, OwnLane> lane,
      PresenceLimit bound,
      QuietRooms quiet,
      DeliveryMeter meter) {}

  public ShardReaders(ReaderConfig config, Parts parts) {
    this.logs = parts.logs();
    this.connections = parts.connections();
    this.rooms = parts.rooms();
    this.threads =
        IntStream.range(0, rooms.size()).mapToObj(n -> new StepThread("chat-reader-" + n)).toList();
    this.presence =
        IntStream.range(0, config.shards()).mapToObj(index -> presence(index, parts)).toList();
    this.readers =
        IntStream.range(0, config.shards())
            .mapToObj(index -> reader(new Shard(index), config, parts))
            .toList();
    this.progress = readers.stream().map(_ -> new Progress()).toList();
    this.pasts = rooms.stream().map(_ -> new RequestQueue()).toList();
    this.peoples = rooms.stream().map(_ -> new RequestQueue()).toList();
  }

  private static ShardPresence presence(int index, Parts parts) {
    return new ShardPresence(
        parts.lane().apply(new Shard(index)),
        parts.connections().leaves(),
        parts.bound(),
        parts.meter());
  }

  private boolean isFollowed(RoomId room) {
    return readerOf(room).state() == LaneReader.State.FOLLOWING;
  }

  private LaneReader readerOf(RoomId room) {
    return readers.get(Shard.of(room, readers.size()).index());
  }

  private LaneReader reader(Shard shard, ReaderConfig config, Parts parts) {
    int thread = shard.index() % threads.size();
    return new LaneReader(
        new LaneReader.Parts(
            shard,
            logs,
            parts.lane().apply(shard),
            new RoomDelivery(
                shard,
                rooms.get(thread),
                parts.connections(),
                presence.get(shard.index()),
                parts.quiet(),
                parts.meter()),
            presence.get(shard.index()),
            parts.time(),
            parts.meter(),
            config,
            threads.get(thread)::wake));
  }

  public void start() {
    for (int n = 0; n < threads.size(); n++) {
      List<StepThread.Passive> machines = new ArrayList<>();
      machines.add(new Tick(rooms.get(n)));
      for (int index = n; index < readers.size(); index += threads.size()) {
        machines.add(readers.get(index));
      }
      machines.add(pasts.get(n));
      machines.add(peoples.get(n));
      threads.get(n).start(machines);
    }
  }

  /** Ticks the rooms, and detects a broker that becomes available while no shard is in use. */
  private final class Tick implements StepThread.Passive {
    private final Rooms ticked;
    private long nextNanos = System.nanoTime();

    Tick(Rooms ticked) {
      this.ticked = ticked;
    }

    @Override
    public long step(long now) {
      if (now - nextNanos >= 0) {
        nextNanos = now + TICK_NANOS;
        ticked.tick();
        boolean _ = logs.isOpen();
      }
      return nextNanos - now;
    }
  }

  /** Marks the shard of a room as used: it is attached if necessary. */
  public void use(RoomId room) {
    readerOf(room).use();
  }

  /**
   * Returns the newest messages of a room from this server's memory; attaches its shard.
   *
   * @param most maximum number of messages
   * @param before return messages before the frame with this name; null for the newest
   */
  public CompletableFuture<PastAnswer> ask(RoomId room, int most, @Nullable FrameName before) {
    use(room);
    int thread = threadOf(room);
    return ask(
        pasts,
        thread,
        new RequestQueue.Question<>(
            () -> isFollowed(room),
            () -> past(rooms.get(thread), room, most, before),
            () -> new PastAnswer.NotNow("the broker is unavailable"),
            new PastAnswer.NotNow(TOO_MANY)));
  }

  private static PastAnswer past(Rooms rooms, RoomId room, int most, @Nullable FrameName before) {
    List<String> texts = rooms.textsBefore(room, most, before);
    return texts == null ? new PastAnswer.NotFound() : new PastAnswer.Answered(texts);
  }

  /**
   * Returns the members of a room on all servers; attaches its shard.
   *
   * @param most maximum number of members listed
   * @param after only members after this user id; null to start with the first
   */
  public CompletableFuture<PresenceAnswer<PresenceAnswer.Room>> presence(
      RoomId room, int most, @Nullable String after) {
    use(room);
    ShardPresence known = presence.get(Shard.of(room, readers.size()).index());
    return ask(
        peoples,
        threadOf(room),
        question(known::isComplete, () -> PresenceList.room(known, room, most, after)));
  }

  /** Removes a user from a room, with all devices; attaches its shard. */
  public CompletableFuture<PresenceAnswer<PresenceAnswer.Removal>> remove(
      RoomId room, String userId) {
    use(room);
    ShardPresence known = presence.get(Shard.of(room, readers.size()).index());
    return ask(
        peoples,
        threadOf(room),
        question(
            known::isComplete,
            () -> {
              List<Person> members = known.of(room).devices(userId);
              members.forEach(member -> connections.leaves().remove(room, member));
              return new PresenceAnswer.Removal(members.size(), known.isComplete());
            }));
  }

  /**
   * Creates a request that waits until all members are known and, after the maximum wait, returns a
   * part.
   */
  private static <A> RequestQueue.Question<PresenceAnswer<A>> question(
      BooleanSupplier complete, Supplier<A> list) {
    Supplier<PresenceAnswer<A>> answer = () -> new PresenceAnswer.Answered<>(list.get());
    return new RequestQueue.Question<>(
        complete, answer, answer, new PresenceAnswer.NotNow<>(TOO_MANY));
  }

  /**
   * Returns the rooms with members on any server; attaches all shards.
   *
   * @param most maximum number of rooms listed
   * @param after only rooms after this id; null to start with the first
   */
  public CompletableFuture<PresenceAnswer<PresenceAnswer.Rooms>> rooms(
      int most, @Nullable String after) {
    readers.forEach(LaneReader::use);
    List<CompletableFuture<PresenceAnswer<PresenceAnswer.Rooms>>> parts =
        IntStream.range(0, threads.size())
            .mapToObj(thread -> ask(peoples, thread, questionOfRooms(thread, most, after)))
            .toList();
    return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
        .thenApply(_ -> together(parts.stream().map(CompletableFuture::join).toList(), most));
  }

  private RequestQueue.Question<PresenceAnswer<PresenceAnswer.Rooms>> questionOfRooms(
      int thread, int most, @Nullable String after) {
    List<ShardPresence> known =
        IntStream.range(0, presence.size())
            .filter(index -> index % threads.size() == thread)
            .mapToObj(presence::get)
            .toList();
    return question(
        () -> known.stream().allMatch(ShardPresence::isComplete),
        () -> PresenceList.rooms(known, most, after));
  }

  private static PresenceAnswer<PresenceAnswer.Rooms> together(
      List<PresenceAnswer<PresenceAnswer.Rooms>> parts, int most) {
    List<PresenceAnswer.Rooms> answered = new ArrayList<>();
    for (PresenceAnswer<PresenceAnswer.Rooms> part : parts) {
      switch (part) {
        case PresenceAnswer.Answered<PresenceAnswer.Rooms>(var rooms) -> answered.add(rooms);
        case PresenceAnswer.NotNow<PresenceAnswer.Rooms> no -> {
          return no;
        }
      }
    }
    return new PresenceAnswer.Answered<>(PresenceList.together(answered, most));
  }

  private int threadOf(RoomId room) {
    return Shard.of(room, readers.size()).index() % threads.size();
  }

  private <A> CompletableFuture<A> ask(
      List<RequestQueue> requestQueues, int thread, RequestQueue.Question<A> question) {
    CompletableFuture<A> answer = requestQueues.get(thread).ask(question, System.nanoTime());
    threads.get(thread).wake();
    return answer;
  }

  /** Marks one shard as used, so that an entry is published and confirmed. */
  public void useAny() {
    readers.getFirst().use();
  }

  /** Returns whether logs can be read and those in use are being read. */
  public boolean isReady() {
    return logs.isOpen() && trouble().isEmpty();
  }

  /** Returns why logs are not read, for operators; empty without a problem. */
  public String trouble() {
    String all = logs.trouble();
    return all.isEmpty()
        ? readers.stream()
            .map(LaneReader::trouble)
            .filter(trouble -> !trouble.isEmpty())
            .findFirst()
            .orElse("")
        : all;
  }

  /** Returns why messages are not shown, for operators; empty if they are. */
  public String stall(long nowNanos) {
    for (int shard = 0; shard < readers.size(); shard++) {
      if (progress.get(shard).stalls(readers.get(shard).isDetached(), 0, nowNanos)) {
        return "shard " + shard + " is in use and has not been read for 8 s";
      }
    }
    return threads.stream()
        .map(StepThread::trouble)
        .filter(trouble -> !trouble.isEmpty())
        .findFirst()
        .orElse("");
  }

  /**
   * Returns the mismatch if the cluster has a different number of shards and this process must not
   * run; else null.
   */
  public @Nullable ShardMismatchException failure() {
    return logs.failure();
  }

  /** Ends the threads. Unacknowledged entries are delivered again to other readers. */
  @Override
  public void close() {
    threads.forEach(StepThread::close);
  }
}
