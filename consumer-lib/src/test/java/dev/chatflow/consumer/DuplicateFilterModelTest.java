package dev.chatflow.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.broker.Lane;
import dev.chatflow.consumer.DuplicateFilter.Arrival;
import dev.chatflow.consumer.DuplicateFilter.Verdict;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The filter against a model of a broker: one shard, one queue, three foreign lanes and the own
 * one, with bindings that come and go, backlog, messages published twice, redelivery and loss.
 *
 * <p>The model knows what really happened: a loss may be told only where one was injected, it must
 * be told where the binding held from the lane's last delivery on, and no message may be delivered
 * twice or dropped.
 */
class DuplicateFilterModelTest {

  private static final int STEPS = 600;
  private static final ConsumerConfig CONFIG = new ConsumerConfig("own", 1, 1, 1, 64);

  static LongStream seeds() {
    return new Random(25).longs(300);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void tellsLossesAndOnlyLosses(long seed) {
    Model model = new Model(new Random(seed));
    for (int step = 0; step < STEPS; step++) {
      model.step();
    }
    model.settle();
  }

  /**
   * An AMQP message on its way.
   *
   * @param behindMark generation of the binding whose mark was queued before it, or 0
   */
  private record Queued(Arrival arrival, long behindMark) {}

  private static final class Publisher {
    private final Lane lane;
    private long sequence;
    private final Set<Long> lost = new HashSet<>();
    private final Set<Long> delivered = new HashSet<>();
    private boolean mayRepeat;
    private boolean seen;
    private long lastSeen;
    private long lastBehindMark;

    Publisher(String serverId) {
      this.lane = new Lane(serverId, 1, 0);
    }

    boolean lostBetween(long from, long to) {
      return LongStream.rangeClosed(from, to).anyMatch(lost::contains);
    }
  }

  private static final class Model {
    private final Random random;
    private final Publisher own = new Publisher("own");
    private final List<Publisher> publishers =
        List.of(own, new Publisher("a"), new Publisher("b"), new Publisher("c"));
    private final DuplicateFilter filter = new DuplicateFilter(CONFIG, _ -> boundGeneration());
    private final Deque<Queued> queue = new ArrayDeque<>();
    private final Deque<Queued> unacked = new ArrayDeque<>();
    private long generation;
    private boolean bound;
    private boolean owesMark;
    private long markQueued;
    private long markSeen;

    Model(Random random) {
      this.random = random;
    }

    private long boundGeneration() {
      return bound ? generation : 0;
    }

    void step() {
      Publisher publisher = publishers.get(random.nextInt(publishers.size()));
      switch (random.nextInt(20)) {
        case 0 -> bindOrUnbind();
        case 1 -> redeliver();
        case 2 -> beacon(publisher);
        case 3 -> publishAgain(publisher);
        case 4 -> lose(publisher);
        case 5 -> unacked.clear();
        case 6, 7, 8, 9, 10, 11 -> publish(publisher);
        default -> deliver();
      }
    }

    /** Every lane ends with a beacon, everything is delivered. */
    void settle() {
      if (bound) {
        publishers.forEach(this::beacon);
      }
      while (!queue.isEmpty()) {
        deliver();
      }
    }

    private void publish(Publisher publisher) {
      if (publisher == own && !bound) {
        return; // the own lane binds first
      }
      publisher.sequence++;
      publisher.mayRepeat = true;
      enqueue(publisher, false);
    }

    /** Only what was not confirmed: nothing else of the lane came behind it. */
    private void publishAgain(Publisher publisher) {
      if (publisher.mayRepeat && (bound || publisher != own)) {
        enqueue(publisher, false);
      }
    }

    private void beacon(Publisher publisher) {
      if (bound || publisher != own) {
        publisher.mayRepeat = false;
        enqueue(publisher, true);
      }
    }

    private void enqueue(Publisher publisher, boolean beacon) {
      if (!bound) {
        return;
      }
      long mark = publisher == own && owesMark ? generation : 0;
      if (mark > 0) {
        owesMark = false;
        markQueued = mark;
      }
      long behind = markQueued == generation ? generation : 0;
      queue.add(new Queued(new Arrival(publisher.lane, publisher.sequence, mark, beacon), behind));
    }

    /** The broker confirms a message and loses it; marks are not lost, they are beacons again. */
    private void lose(Publisher publisher) {
      if (bound && !(publisher == own && owesMark)) {
        publisher.sequence++;
        publisher.lost.add(publisher.sequence);
        publisher.mayRepeat = false;
      }
    }

    private void bindOrUnbind() {
      if (!bound) {
        generation++;
        bound = true;
        owesMark = true;
      } else if (queue.stream().noneMatch(q -> q.arrival().lane().equals(own.lane))) {
        own.mayRepeat = false;
        bound = false; // only with all own flights back; those of others may still be queued
        owesMark = false;
      }
    }

    /** The channel ends: the lane binds again as the same generation and marks that. */
    private void redeliver() {
      filter.reopened();
      owesMark = bound;
      while (!unacked.isEmpty()) {
        queue.addFirst(unacked.removeLast());
      }
    }

    private void deliver() {
      Queued next = queue.poll();
      if (next == null) {
        return;
      }
      unacked.add(next);
      Publisher publisher =
          publishers.stream()
              .filter(p -> p.lane.equals(next.arrival().lane()))
              .findAny()
              .orElseThrow();
      markSeen = Math.max(markSeen, next.arrival().mark());
      boolean live = bound && markSeen == generation;
      Verdict verdict = filter.judge(next.arrival(), 0);
      check(publisher, next, verdict, live);
    }

    private void check(Publisher publisher, Queued next, Verdict verdict, boolean live) {
      Arrival arrival = next.arrival();
      long first = publisher.lastSeen + 1;
      long last = arrival.beacon() ? arrival.sequence() : arrival.sequence() - 1;
      boolean lost = publisher.seen && publisher.lostBetween(first, last);
      boolean held = next.behindMark() > 0 && publisher.lastBehindMark == next.behindMark();
      if (verdict == Verdict.LOSS) {
        assertThat(lost).as("a loss told at %s", arrival).isTrue();
      } else if (lost && live && held && next.behindMark() == generation) {
        assertThat(verdict).as("a loss before %s", arrival).isEqualTo(Verdict.LOSS);
      }
      checkDelivery(publisher, arrival, verdict);
      if (!publisher.seen
          || arrival.sequence() > publisher.lastSeen
          || (arrival.beacon() && arrival.sequence() == publisher.lastSeen)) {
        publisher.seen = true;
        publisher.lastSeen = arrival.sequence();
        publisher.lastBehindMark = next.behindMark();
      }
    }

    private static void checkDelivery(Publisher publisher, Arrival arrival, Verdict verdict) {
      boolean delivers = !arrival.beacon() && verdict != Verdict.DUPLICATE;
      if (delivers) {
        assertThat(publisher.delivered.add(arrival.sequence()))
            .as("%s delivered once", arrival)
            .isTrue();
      } else if (!arrival.beacon()) {
        assertThat(publisher.delivered).as("%s dropped", arrival).contains(arrival.sequence());
      }
    }
  }
}
