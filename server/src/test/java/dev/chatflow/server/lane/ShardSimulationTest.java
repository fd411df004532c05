package dev.chatflow.server.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.broker.BrokerException;
import dev.chatflow.broker.DeadLetter;
import dev.chatflow.broker.Lane;
import dev.chatflow.message.ChatMessage;
import dev.chatflow.message.ClientMessage;
import dev.chatflow.message.MessageType;
import dev.chatflow.message.line.Line;
import dev.chatflow.message.line.LineWriter;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.Shard;
import dev.chatflow.shard.ClusterTime;
import dev.chatflow.shard.Entry;
import dev.chatflow.shard.Stamp;
import dev.chatflow.shard.reader.Arrival;
import dev.chatflow.shard.reader.Inbox;
import dev.chatflow.shard.reader.LogReader;
import dev.chatflow.shard.reader.Logs;
import dev.chatflow.shard.reader.ReaderConfig;
import dev.chatflow.shard.reader.ReaderMeter;
import dev.chatflow.shard.reader.Taker;
import dev.chatflow.shard.window.Window.LineVerdict;
import dev.chatflow.shard.window.WindowBounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Lanes and readers of several servers on one simulated log, judged by who reads it from birth. */
class ShardSimulationTest {

  private static final long MILLI = 1_000_000;
  private static final WindowBounds STREAM = new WindowBounds(40, 20_000);
  private static final WindowBounds RING = new WindowBounds(40, 4_000);
  private static final long RING_BYTES = 16_000;
  private static final RoomId ROOM = new RoomId("5");
  private static final Shard SHARD = new Shard(0);

  // What all seeds together met.
  private static final AtomicInteger LATES = new AtomicInteger();
  private static final AtomicInteger PASTS = new AtomicInteger();
  private static final AtomicInteger LOSSES = new AtomicInteger();
  private static final AtomicInteger INCOMPLETES = new AtomicInteger();

  private record Due(long at, long order, Runnable what) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      return at == other.at ? Long.compare(order, other.order) : Long.compare(at, other.at);
    }
  }

  private record Stored(long offset, LaneEntry entry) {}

  private record Said(String id, LineVerdict verdict) {}

  private record Report(String server, long key, List<Said> lines, Taker.Source source) {}

  // --- the broker

  private final List<Stored> log = new ArrayList<>();
  private final Map<String, Long> places = new HashMap<>();
  private final Set<String> holes = new HashSet<>();
  private long nextOffset;
  private long bytes;
  private int oldest;

  private void append(LaneEntry entry) {
    if (log.size() % 25 == 24) {
      nextOffset++; // a segment's own entry
    }
    Stored stored = new Stored(nextOffset++, entry);
    log.add(stored);
    places.putIfAbsent(entry.lane() + "/" + entry.number(), stored.offset());
    holes.remove(entry.lane() + "/" + entry.number());
    bytes += entry.body().length;
    while (ring && bytes > RING_BYTES) {
      bytes -= log.get(oldest++).entry().body().length;
    }
    servers.forEach(server -> server.readings.forEach(Feed::soon));
  }

  private final class Feed implements Logs.Reading {
    private final Server server;
    private final Inbox inbox;
    private final int prefetch;
    private final long hiddenBelow;
    private int place;
    private long lastTag;
    private long acked;
    private boolean closed;
    private boolean scheduled;

    Feed(Server server, Inbox inbox, int prefetch, int place, long hiddenBelow) {
      this.server = server;
      this.inbox = inbox;
      this.prefetch = prefetch;
      this.place = place;
      this.hiddenBelow = hiddenBelow;
      soon();
    }

    void soon() {
      if (!scheduled && !closed) {
        scheduled = true;
        later(random.nextInt(100) == 0 ? 300 : 2, this::deliver);
      }
    }

    private void deliver() {
      scheduled = false;
      if (place < oldest) {
        server.overtaken = true;
        place = oldest;
      }
      while (!closed && place < log.size() && lastTag - acked < prefetch) {
        Stored stored = log.get(place++);
        if (stored.offset() >= hiddenBelow) {
          inbox.put(arrival(++lastTag, stored, now));
        }
      }
    }

    @Override
    public void ackUpTo(long tag) {
      acked = tag;
      soon();
    }

    @Override
    public void bury(DeadLetter letter) {
      throw new AssertionError("poison: " + letter.reason());
    }

    @Override
    public void close() {
      closed = true;
      server.readings.remove(this);
    }

    void cut() {
      close();
      inbox.end("cut");
    }
  }

  private Arrival arrival(long tag, Stored stored, long now) {
    LaneEntry entry = stored.entry();
    Arrival.Content content =
        entry.isBeacon()
            ? Arrival.Content.NOTHING
            : entry.lines() == 1 ? Arrival.Content.LINE : Arrival.Content.LINES;
    return new Arrival(
        tag,
        ring ? Arrival.NO_OFFSET : stored.offset(),
        headers(entry),
        entry.timeMillis(),
        content,
        entry.body().clone(),
        now);
  }

  /** The broker comes back without its last entries, and gives their offsets to others. */
  private void cutTail() {
    int kept = Math.max(oldest, log.size() - 1 - random.nextInt(12));
    if (kept >= log.size()) {
      return;
    }
    long offset = log.get(kept).offset();
    List<Stored> lost = log.subList(kept, log.size());
    List<Stored> lostOnes = List.copyOf(lost);
    for (Stored stored : lost) {
      String name = stored.entry().lane() + "/" + stored.entry().number();
      if (places.remove(name, stored.offset())) {
        holes.add(name);
      }
    }
    lost.clear();
    nextOffset = offset;
    reports.removeIf(report -> report.key() >= offset);
    for (Server server : servers) {
      for (Stored stored : lostOnes) {
        if (server.isAttached() && stored.offset() <= server.lastTaken) {
          server.lost.putIfAbsent(stored.offset(), stored.entry());
        }
      }
      server.mayLose = true;
      server.cutConnection(random.nextInt(500));
    }
    cuts++;
  }

  private static Entry headers(LaneEntry entry) {
    return new Entry(entry.lane(), entry.number(), entry.read(), !entry.isBeacon());
  }

  // --- a server

  private record Connection(int user, String session, long stamp) {}

  private final class Server implements Uplink, Logs, Taker, ReaderMeter {
    final String name;
    final ClusterTime time;
    final PublishLane lane;
    final LogReader reader;
    final List<Feed> readings = new ArrayList<>();
    final List<Connection> connections = new ArrayList<>();
    final Map<String, String> fates = new HashMap<>();
    final List<String> taken = new ArrayList<>();
    final Set<String> handedOn = new HashSet<>();

    /** What it would show to who comes back: what was handed on without anything between. */
    final List<Report> past = new ArrayList<>();

    private List<Said> current = new ArrayList<>();
    private @Nullable Object flight;
    private @Nullable Consumer<Confirm> flightOutcome;
    long closedUntil;
    long frozenUntil;
    boolean overtaken;
    long lastTaken = -1;
    boolean isExcused;

    /** Read what the log does not hold any more: must be noticed. */
    final Map<Long, LaneEntry> lost = new HashMap<>();

    /** May have read it. */
    boolean mayLose;

    int sessions;

    Server(String name, long boot) {
      this.name = name;
      time = new ClusterTime(() -> now, 1_000_000 + random.nextInt(2_000_000));
      LaneBounds bounds =
          new LaneBounds(
              Duration.ofMillis(2), Duration.ofSeconds(4), Duration.ofMillis(500), 4_000);
      lane =
          new PublishLane(new Lane(name, boot, 0), time, bounds, this, new NoLaneMeter(), () -> {});
      reader =
          new LogReader(
              new LogReader.Parts(
                  SHARD,
                  this,
                  lane,
                  this,
                  time,
                  this,
                  new ReaderConfig(1, 16, STREAM, RING, RING_BYTES),
                  () -> {}));
      reader.use();
    }

    void step() {
      if (now < frozenUntil) {
        return;
      }
      for (int i = 0; i < 50 && lane.step(now) == 0; i++) {
        // what is due
      }
      for (int i = 0; i < 50 && reader.step(now) == 0; i++) {
        // what is due
      }
    }

    /** Whether it has members who would have to be told of a loss. */
    boolean isAttached() {
      return switch (reader.state()) {
        case FOLLOWING, SEEKING_PLACE, RETURNING -> true;
        case RESTING, ASKING_LANE, SEEKING_END, READING_BACK -> false;
      };
    }

    void cutConnection(long millis) {
      closedUntil = now + millis * MILLI;
      List.copyOf(readings).forEach(Feed::cut);
      Consumer<Confirm> told = flightOutcome;
      if (told != null) {
        told.accept(new Confirm.Lost("connection"));
      }
    }

    @Override
    public void pastBeginsAnew() {
      past.clear();
    }

    // Uplink

    @Override
    public boolean isOpen() {
      return now >= closedUntil;
    }

    @Override
    public boolean isBlocked() {
      return false;
    }

    @Override
    public Attempt send(LaneEntry entry, Consumer<Confirm> outcome) {
      assertThat(flight).as("an entry is in the air").isNull();
      Object token = new Object();
      flight = token;
      Consumer<Confirm> once =
          confirm -> {
            if (token.equals(flight)) {
              flight = null;
              flightOutcome = null;
              outcome.accept(confirm);
            }
          };
      flightOutcome = once;
      switch (faults ? random.nextInt(40) : 0) {
        case 1 -> later(5, () -> land(entry, once, new Confirm.Lost("channel")));
        case 2 -> later(5, () -> once.accept(new Confirm.Nacked()));
        case 3 -> later(5, () -> land(entry, _ -> {}, new Confirm.Acked())); // no word
        case 4 -> {
          later(
              random.nextInt(4) == 0 ? 20_000 : 400,
              () -> land(entry, _ -> {}, new Confirm.Acked()));
          later(5, () -> once.accept(new Confirm.Lost("connection")));
        }
        case 5 -> later(3_000, () -> land(entry, once, new Confirm.Acked())); // late
        default -> later(5, () -> land(entry, once, new Confirm.Acked()));
      }
      return () -> {
        if (token.equals(flight)) {
          flight = null;
          flightOutcome = null;
        }
      };
    }

    private void land(LaneEntry entry, Consumer<Confirm> told, Confirm what) {
      append(entry);
      told.accept(what);
    }

    // Logs

    @Override
    public boolean haveOffsets() {
      return !ring;
    }

    @Override
    public void ensure(Shard shard) {}

    @Override
    public Logs.Reading read(Shard shard, Start start, int prefetch, Inbox inbox)
        throws BrokerException {
      if (!isOpen()) {
        throw new BrokerException("no connection");
      }
      Feed reading =
          switch (start) {
            case Start.Last _ ->
                new Feed(this, inbox, prefetch, Math.max(0, log.size() - 1 - random.nextInt(8)), 0);
            case Start.Oldest _ -> new Feed(this, inbox, prefetch, oldest, 0);
            case Start.At(long offset) -> new Feed(this, inbox, prefetch, indexOf(offset), offset);
          };
      readings.add(reading);
      return reading;
    }

    // Taker

    @Override
    public boolean hasSpace(Line.Message line) {
      return !faults || random.nextInt(50) > 0;
    }

    @Override
    public @Nullable String take(Line.Message line, LineVerdict verdict, Source source) {
      current.add(new Said(text(line), verdict));
      handedOn.add(line.message().messageId());
      return null;
    }

    @Override
    public void taken(Arrival arrival, int lines, Source source) {
      Entry entry = Objects.requireNonNull(arrival.entry());
      Long known = places.get(entry.lane() + "/" + entry.number());
      assertThat(known != null || mayLose).isTrue();
      long place = known == null ? lastTaken : known;
      // Who is overtaken on a ring sees a hole only at a lane's next number.
      if (!isExcused && !overtaken && !mayLose) {
        reports.add(new Report(name, place, current, source));
      }
      if (!current.isEmpty()) {
        past.add(new Report(name, place, current, source));
      }
      lastTaken = place;
      current = new ArrayList<>();
    }

    @Override
    public void ownLate() {
      LATES.incrementAndGet();
      connections.clear();
    }

    @Override
    public void attached() {}

    @Override
    public void lost(String why) {
      boolean gone = oldest > 0 && lastTaken < log.get(oldest).offset();
      assertThat(overtaken || gone || mayLose || !holes.isEmpty())
          .as("%s lost: %s", name, why)
          .isTrue();
      overtaken = false;
      lost.clear();
      past.clear();
      mayLose = false;
      LOSSES.incrementAndGet();
      connections.clear();
    }

    @Override
    public void detached() {
      connections.clear();
    }

    @Override
    public boolean isNeeded() {
      return true;
    }

    // meters

    @Override
    public void passed(Passed why) {}

    @Override
    public void poison() {
      throw new AssertionError("poison");
    }

    @Override
    public void unacked(int change) {}

    /** The promise of one order is that of a log that holds four windows. */
    @Override
    public void incomplete() {
      assertThat(ring || cuts > 0).isTrue();
      INCOMPLETES.incrementAndGet();
      isExcused = true;
    }

    @Override
    public void attached(long tookNanos, long entries) {}

    // users

    void act() {
      int what = random.nextInt(6);
      if (connections.isEmpty() || what == 0) {
        join(1 + random.nextInt(5));
      } else {
        Connection connection = connections.get(random.nextInt(connections.size()));
        if (what == 1) {
          connections.remove(connection);
          offer(MessageType.LEAVE, connection);
        } else {
          offer(MessageType.TEXT, connection);
        }
      }
    }

    private void join(int user) {
      String session = name + "-" + sessions++;
      long[] stamp = new long[1];
      Offer offer =
          lane.offer(
              read -> {
                stamp[0] = time.next();
                return line(MessageType.JOIN, new Connection(user, session, stamp[0]), read);
              },
              () -> {});
      if (offer != Offer.NOT_NOW) {
        connections.add(new Connection(user, session, stamp[0]));
      }
    }

    private void offer(MessageType type, Connection connection) {
      Offer _ = lane.offer(read -> line(type, connection, read), () -> {});
    }

    private Waiting line(MessageType type, Connection connection, long read) {
      String id = "m" + ids++;
      taken.add(id);
      String text = type == MessageType.TEXT ? (random.nextInt(4) == 0 ? "again" : id) : "";
      String shown = text.equals("again") ? "again" + connection.user : id;
      if (!shown.equals(id)) {
        handedOn.add(id); // it stands there under another's name
      }
      ClientMessage content =
          new ClientMessage(type, connection.user, "user", text, "2026-11-22T10:00:00Z", shown);
      ChatMessage.Origin origin =
          new ChatMessage.Origin(name, connection.session, "", connection.stamp);
      byte[] bytes = LineWriter.line(new ChatMessage(content, ROOM, 0, origin, false));
      return new Waiting(ROOM, bytes, id, type, read, now, new Told(this, id));
    }
  }

  private record Told(Server server, String id) implements Fate {
    @Override
    public void back() {
      tell("back");
    }

    @Override
    public void dropped() {
      tell("dropped");
    }

    @Override
    public void unknown() {
      tell("unknown");
    }

    private void tell(String what) {
      assertThat(server.fates.put(id, what)).as("told of %s before", id).isNull();
    }
  }

  private static String text(Line.Message line) {
    Stamp stamp = new Stamp(line.stamp(), line.serverId(), String.valueOf(line.session()));
    long id = line.type() == MessageType.TEXT ? line.idHash() : 0;
    return line.type() + " " + line.userId() + " " + stamp + " " + id;
  }

  private int indexOf(long offset) {
    int index = 0;
    while (index < log.size() && log.get(index).offset() < offset) {
      index++;
    }
    return index;
  }

  // --- a run

  private final List<Server> servers = new ArrayList<>();
  private final List<Report> reports = new ArrayList<>();
  private final PriorityQueue<Due> due = new PriorityQueue<>();
  private Random random = new Random(0);
  private boolean faults = true;
  private long now = 1;
  private long order;
  private int ids;
  private int boots;
  private boolean ring;
  private boolean cutting;
  private int cuts;

  private WindowBounds window() {
    return ring ? RING : STREAM;
  }

  @AfterAll
  static void seedsMeetWhatGoesWrong() {
    assertThat(LATES.get()).as("own entries too late").isPositive();
    assertThat(PASTS.get()).as("entries kept as the past").isPositive();
    assertThat(LOSSES.get()).as("losses").isPositive();
    assertThat(INCOMPLETES.get()).as("logs that hold too little").isPositive();
  }

  static LongStream seeds() {
    return new Random(23).longs(200);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void allReadersDecideLikeWhoReadsTheLogFromItsBirth(long seed) {
    run(seed, false);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void allReadersOfARingDecideAlikeToo(long seed) {
    run(seed, true);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void whoReadWhatTheLogLostNoticesIt(long seed) {
    cutting = true;
    run(seed, false);
  }

  private void run(long seed, boolean isRing) {
    ring = isRing;
    random = new Random(seed);
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      servers.add(new Server("s" + i, ++boots));
    }
    for (int step = 0; step < 400; step++) {
      act();
      pass(random.nextInt(20) == 0 ? random.nextInt(4_000) : random.nextInt(30));
    }
    faults = false;
    servers.forEach(server -> server.closedUntil = 0);
    servers.forEach(server -> server.frozenUntil = 0);
    pass(40_000);
    judge();
  }

  private void act() {
    Server server = servers.get(random.nextInt(servers.size()));
    switch (random.nextInt(60)) {
      case 0 -> server.cutConnection(random.nextInt(3_000));
      case 1 -> List.copyOf(server.readings).forEach(Feed::cut);
      case 2 -> server.frozenUntil = now + random.nextInt(5_000) * MILLI;
      case 3 -> boot(server);
      case 4 -> cutSometimes();
      default -> server.act();
    }
  }

  private void cutSometimes() {
    if (cutting && random.nextInt(3) == 0) {
      cutTail();
    }
  }

  /** Dies with what it has, and what is in the air may land; another one comes. */
  private void boot(Server server) {
    server.frozenUntil = Long.MAX_VALUE;
    List.copyOf(server.readings).forEach(Feed::close);
    servers.set(servers.indexOf(server), new Server(server.name, ++boots));
  }

  private void pass(long millis) {
    long end = now + millis * MILLI;
    while (now < end) {
      now += MILLI;
      while (!due.isEmpty() && due.peek().at() <= now) {
        due.remove().what().run();
      }
      servers.forEach(Server::step);
    }
  }

  private void later(int maxMillis, Runnable what) {
    due.add(new Due(now + (1 + random.nextInt(maxMillis)) * MILLI, order++, what));
  }

  private void judge() {
    Map<Long, LogFold.Judged> truth = truth();
    for (Report report : reports) {
      LogFold.Judged judged = truth.get(report.key());
      assertThat(judged).isNotNull();
      if (report.source() != Taker.Source.PAST || !report.lines().isEmpty()) {
        assertThat(judged.worth()).as("%s", report).isEqualTo(LogFold.Worth.ON_TIME);
        assertThat(report.lines()).as("%s", report).isEqualTo(said(judged));
      }
    }
    for (Server server : servers) {
      assertThat(server.reader.state()).isEqualTo(LogReader.State.FOLLOWING);
      server.lost.forEach((offset, entry) ->
          assertThat(log.get(indexOf(offset)).entry())
              .as("%s noticed that the log lost what it read", server.name)
              .isSameAs(entry));
      assertThat(server.fates.keySet()).as(server.name).containsAll(server.taken);
      server.fates.forEach((id, fate) ->
          assertThat(!fate.equals("back") || server.handedOn.contains(id))
              .as("%s told that %s is back, and handed it on", server.name, id)
              .isTrue());
      assertThat(server.lane.bytes()).isZero();
      if (!server.isExcused && !server.overtaken && !server.mayLose) {
        judgePast(server, truth);
      }
    }
  }

  /** Who is shown the past misses nothing between its first frame and now. */
  private void judgePast(Server server, Map<Long, LogFold.Judged> truth) {
    if (server.past.isEmpty()) {
      return;
    }
    long first = server.past.getFirst().key();
    List<List<Said>> expected =
        log.stream()
            .filter(stored -> stored.offset() >= first)
            .map(stored -> Objects.requireNonNull(truth.get(stored.offset())))
            .filter(judged -> judged.worth() == LogFold.Worth.ON_TIME && !judged.lines().isEmpty())
            .map(ShardSimulationTest::said)
            .toList();
    assertThat(server.past.stream().map(Report::lines).toList())
        .as("%s has the past from %s on", server.name, first)
        .isEqualTo(expected);
    PASTS.addAndGet(expected.size());
  }

  private Map<Long, LogFold.Judged> truth() {
    LogFold fold = new LogFold(window());
    Map<Long, LogFold.Judged> truth = new HashMap<>();
    for (Stored stored : log) {
      truth.put(stored.offset(), fold.add(stored.entry()));
    }
    return truth;
  }

  private static List<Said> said(LogFold.Judged judged) {
    return judged.lines().stream()
        .map(line ->
            new Said(
                line.type() + " " + line.user() + " " + line.stamp() + " " + line.idHash(),
                line.isVoid()
                    ? LineVerdict.VOID
                    : line.isRepeat() ? LineVerdict.REPEAT : LineVerdict.SHOWN))
        .toList();
  }
}
