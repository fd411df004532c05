package dev.chatflow.server.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LaneQueueTest {

  private final LaneQueue queue = new LaneQueue(100);

  @Test
  void givesMessagesInTheOrderOffered() {
    Outgoing first = Lines.text("1", "a");
    Outgoing second = Lines.text("1", "b");
    queue.offer(first, () -> {});
    queue.offer(second, () -> {});
    assertThat(queue.peek()).isSameAs(first);
    assertThat(queue.poll()).isSameAs(first);
    assertThat(queue.poll()).isSameAs(second);
    assertThat(queue.poll()).isNull();
  }

  @Test
  void takesWhatExceedsTheBoundAndSaysSo() {
    assertThat(queue.offer(Lines.ofBytes("1", 100), () -> {})).isTrue();
    assertThat(queue.belowBound()).isTrue();
    assertThat(queue.offer(Lines.ofBytes("1", 1), () -> {})).isFalse();
    assertThat(queue.belowBound()).isFalse();
    assertThat(queue.size()).isEqualTo(2);
    assertThat(queue.bytes()).isEqualTo(101);
  }

  @Test
  void callsEachRefusedSenderOnceWhenBelowHalf() {
    AtomicInteger first = new AtomicInteger();
    AtomicInteger second = new AtomicInteger();
    Drained firstSender = first::incrementAndGet;
    queue.offer(Lines.ofBytes("1", 60), firstSender);
    queue.offer(Lines.ofBytes("1", 50), firstSender);
    queue.offer(Lines.ofBytes("1", 49), firstSender);
    queue.offer(Lines.ofBytes("1", 40), second::incrementAndGet);
    queue.poll();
    queue.poll();
    queue.callDrained(); // 89 bytes
    assertThat(first).hasValue(0);
    queue.poll();
    queue.callDrained(); // 40 bytes
    queue.callDrained();
    assertThat(first).hasValue(1);
    assertThat(second).hasValue(1);
    assertThat(queue.belowHalf()).isTrue();
  }

  @Test
  void aSenderCalledBackMayOfferAtOnce() {
    List<Boolean> again = new ArrayList<>();
    queue.offer(
        Lines.ofBytes("1", 101), () -> again.add(queue.offer(Lines.ofBytes("1", 10), () -> {})));
    queue.poll();
    queue.callDrained();
    assertThat(again).containsExactly(true);
    assertThat(queue.size()).isEqualTo(1);
  }

  @Test
  void awaitEndsAtOnceWhenAMessageWaits() throws Exception {
    queue.offer(Lines.text("1", "a"), () -> {});
    long begun = System.nanoTime();
    queue.await(TimeUnit.HOURS.toNanos(1));
    assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.MINUTES.toNanos(1));
  }

  @Test
  void aWakeBeforeTheAwaitIsNotLost() throws Exception {
    queue.wake();
    long begun = System.nanoTime();
    queue.await(TimeUnit.HOURS.toNanos(1));
    assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.MINUTES.toNanos(1));
  }

  @Test
  void anOfferEndsTheAwaitOfAnotherThread() throws Exception {
    Thread lane =
        Thread.startVirtualThread(() -> {
          try {
            queue.await(TimeUnit.HOURS.toNanos(1));
          } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
          }
        });
    queue.offer(Lines.text("1", "a"), () -> {});
    assertThat(lane.join(java.time.Duration.ofSeconds(10))).isTrue();
  }

  static LongStream seeds() {
    return new Random(25).longs(100);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void behavesLikeAQueueWithAByteCount(long seed) {
    Random random = new Random(seed);
    ArrayDeque<Outgoing> model = new ArrayDeque<>();
    AtomicInteger called = new AtomicInteger();
    Drained sender = called::incrementAndGet;
    boolean owed = false;
    for (int step = 0; step < 200; step++) {
      if (random.nextBoolean()) {
        Outgoing message = Lines.ofBytes("1", 1 + random.nextInt(40));
        model.add(message);
        boolean accepted = queue.offer(message, sender);
        assertThat(accepted).isEqualTo(bytes(model) <= 100);
        owed |= !accepted;
      } else {
        assertThat(queue.poll()).isSameAs(model.poll());
        int before = called.get();
        queue.callDrained();
        boolean due = owed && 2 * bytes(model) < 100;
        assertThat(called.get() - before).isEqualTo(due ? 1 : 0);
        owed &= !due;
      }
      assertThat(queue.bytes()).isEqualTo(bytes(model));
      assertThat(queue.size()).isEqualTo(model.size());
    }
  }

  private static long bytes(ArrayDeque<Outgoing> model) {
    return model.stream().mapToLong(Outgoing::weightBytes).sum();
  }
}
