package dev.chatflow.server.publish;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.broker.Lane;
import dev.chatflow.log.ClusterTime;
import dev.chatflow.message.MessageType;
import dev.chatflow.room.RoomId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A lane on a broker that loses, delays, repeats and rejects entries, in simulated time chosen by a
 * seed.
 */
class PublishLaneModelTest {

  private static final long MILLI = 1_000_000;
  private static final int STEPS = 2_000;
  private static final RoomId ROOM = new RoomId("5");

  private record Due(long at, long order, Runnable what) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      return at == other.at ? Long.compare(order, other.order) : Long.compare(at, other.at);
    }
  }

  /** Records that each fate was reported once, and which. */
  private final class Told implements Fate {
    final String line;

    Told(String line) {
      this.line = line;
    }

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
      assertThat(fates.put(line, what)).as("told of %s before", line).isNull();
    }
  }

  /** Entries of the lane land in {@link #log}, once, twice, late or never. */
  private final class Broker implements Uplink {
    private @Nullable Object current;

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
      assertThat(current).as("an entry is in flight").isNull();
      assertThat(bodies.computeIfAbsent(entry.number(), _ -> entry)).isSameAs(entry);
      Object token = new Object();
      current = token;
      Consumer<Confirm> once =
          confirm -> {
            if (token.equals(current)) {
              current = null;
              outcome.accept(confirm);
            }
          };
      switch (faults ? random.nextInt(10) : 0) {
        case 0, 1, 2, 3, 4 -> later(3, () -> lands(entry, once, new Confirm.Acked()));
        case 5 -> later(3, () -> lands(entry, once, new Confirm.Lost("channel")));
        case 6 -> later(3, () -> once.accept(new Confirm.Nacked()));
        case 7 -> later(3, () -> once.accept(new Confirm.Returned("no log")));
        case 8 -> later(3, () -> lands(entry, _ -> {}, new Confirm.Acked())); // no answer
        default -> {
          later(400, () -> lands(entry, _ -> {}, new Confirm.Acked())); // a late copy
          later(3, () -> once.accept(new Confirm.Lost("connection")));
        }
      }
      return () -> {
        if (token.equals(current)) {
          current = null;
        }
      };
    }

    private void lands(LaneEntry entry, Consumer<Confirm> told, Confirm what) {
      log.add(entry);
      told.accept(what);
    }
  }

  private final List<LaneEntry> log = new ArrayList<>();
  private final Map<Long, LaneEntry> bodies = new HashMap<>();
  private final Map<String, String> fates = new HashMap<>();
  private final List<String> taken = new ArrayList<>();
  private final PriorityQueue<Due> due = new PriorityQueue<>();
  private final Broker broker = new Broker();
  private Random random = new Random(0);
  private boolean faults = true;
  private long now = 1;
  private long closedUntil;
  private long order;
  private int freed;
  private int position;
  private long seen;
  private boolean losses;

  static LongStream seeds() {
    return new Random(17).longs(300);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void acceptedMessagesAreInTheLogOnceAndInOrder(long seed) {
    PublishLane lane = run(seed, false);

    assertThat(shown()).containsExactlyElementsOf(taken);
    assertThat(fates).hasSize(taken.size());
    assertThat(fates.values()).containsOnly("back");
    assertThat(lane.bytes()).isZero();
    assertThat(lane.isIdle()).isTrue();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void allMembersAreNotifiedOnceEvenWhenTheReaderLosesItsPosition(long seed) {
    PublishLane lane = run(seed, true);

    assertThat(fates).hasSize(taken.size());
    assertThat(lane.bytes()).isZero();
    Set<String> back = new HashSet<>(shown());
    fates.forEach((line, fate) -> {
      if (fate.equals("back")) {
        assertThat(back).contains(line);
      }
    });
  }

  private PublishLane run(long seed, boolean loses) {
    random = new Random(seed);
    losses = loses;
    ClusterTime time = new ClusterTime(() -> now, 1_000);
    LaneBounds bounds = new LaneBounds(Duration.ofSeconds(4), Duration.ofMillis(50), 200);
    PublishLane lane =
        new PublishLane(new Lane("s", 1, 0), time, bounds, broker, new NoLaneMeter(), () -> {});
    lane.attached();
    for (int step = 0; step < STEPS; step++) {
      act(lane);
      pass(lane, random.nextInt(3) * MILLI);
    }
    faults = false;
    closedUntil = 0;
    for (int i = 0; i < 2_000; i++) {
      pass(lane, MILLI);
      read(lane);
      if (i == 1_000) {
        offer(lane); // with many faults nothing may have been accepted before
      }
    }
    return lane;
  }

  private void act(PublishLane lane) {
    switch (random.nextInt(20)) {
      case 0 -> closedUntil = now + random.nextInt(40) * MILLI;
      case 1 -> assertThat(lane.beacon()).isGreaterThan(lane.confirmed());
      case 2, 3, 4, 5 -> read(lane);
      case 6 -> loseSometimes(lane);
      default -> offer(lane);
    }
  }

  private void loseSometimes(PublishLane lane) {
    if (losses && random.nextInt(10) == 0) {
      lane.lost();
      lane.attached();
    }
  }

  private void offer(PublishLane lane) {
    String line = "line " + taken.size();
    OfferResult offer =
        lane.offer(
            read -> {
              assertThat(log.stream().filter(each -> each.number() == read).count())
                  .as("a named entry is in the log once")
                  .isLessThanOrEqualTo(1);
              return new WaitingLine(
                  ROOM, line.getBytes(UTF_8), line, MessageType.TEXT, read, now, new Told(line));
            },
            () -> freed++);
    if (offer != OfferResult.NOT_NOW) {
      taken.add(line);
    }
  }

  private void pass(PublishLane lane, long nanos) {
    long end = now + nanos;
    while (true) {
      long next = now + Math.max(1, Math.min(MILLI, lane.step(now)));
      Due first = due.peek();
      if (first != null && first.at <= Math.min(next, end)) {
        now = Math.max(now, first.at);
        due.remove();
        first.what.run();
      } else if (next <= end) {
        now = next;
      } else {
        now = end;
        return;
      }
    }
  }

  private void later(int maxMillis, Runnable what) {
    due.add(new Due(now + (1 + random.nextInt(maxMillis)) * MILLI, order++, what));
  }

  /** Reads a part of the log; entries of the lane that were read before are copies. */
  private void read(PublishLane lane) {
    for (int i = random.nextInt(5); i >= 0 && position < log.size(); i--) {
      LaneEntry entry = log.get(position++);
      if (entry.number() > seen) {
        assertThat(entry.number()).isEqualTo(seen + 1);
        seen = entry.number();
        lane.read(seen, 0);
      }
    }
  }

  /** Returns the lines of each entry at its first position. */
  private List<String> shown() {
    List<String> lines = new ArrayList<>();
    Set<Long> numbers = new HashSet<>();
    for (LaneEntry entry : log) {
      if (numbers.add(entry.number()) && !entry.isBeacon()) {
        lines.addAll(List.of(new String(entry.body(), UTF_8).split("\n", -1)));
      }
    }
    return lines;
  }
}
