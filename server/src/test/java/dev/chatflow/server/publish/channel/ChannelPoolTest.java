package dev.chatflow.server.publish.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatflow.broker.BrokerException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ChannelPoolTest {

  private final FakeUplink uplink = new FakeUplink();

  @Test
  void aKeptChannelIsLentAgain() throws Exception {
    ChannelPool pool = pool(2);
    PooledChannel first = borrowAndKeep(pool);
    assertThat(borrowAndKeep(pool)).isSameAs(first);
    assertThat(uplink.channelsOpened).hasValue(1);
    assertThat(pool.idle()).isEqualTo(1);
    assertThat(pool.active()).isZero();
  }

  @Test
  void channelsAreOpenedAheadAsManyAsAreToBeReady() throws Exception {
    ChannelPool pool = pool(20);
    pool.fill();
    assertThat(pool.idle()).isEqualTo(2);
    try (ChannelPool.Lease _ = pool.borrow();
        ChannelPool.Lease _ = pool.borrow()) {
      assertThat(uplink.channelsOpened).hasValue(2);
    }
  }

  @Test
  void channelsOfAnEarlierConnectionMakePlaceForNewOnes() {
    ChannelPool pool = pool(2);
    pool.fill();
    uplink.closeChannels();
    pool.fill();
    assertThat(uplink.channelsOpened).hasValue(4);
    assertThat(pool.idle()).isEqualTo(2);
  }

  @Test
  void withoutAConnectionNothingIsOpenedAheadAndNothingFails() {
    uplink.open(false);
    ChannelPool pool = pool(2);
    pool.fill();
    assertThat(pool.idle()).isZero();
  }

  @Test
  void aChannelInDoubtIsGivenUp() throws Exception {
    ChannelPool pool = pool(2);
    PooledChannel doubted;
    try (ChannelPool.Lease lease = pool.borrow()) {
      doubted = lease.channel();
    }
    assertThat(doubted.isOpen()).isFalse();
    assertThat(borrowAndKeep(pool)).isNotSameAs(doubted);
  }

  @Test
  void aChannelThatClosedInThePoolIsReplaced() throws Exception {
    ChannelPool pool = pool(1);
    PooledChannel closed = borrowAndKeep(pool);
    uplink.closeChannels();
    PooledChannel next = borrowAndKeep(pool);
    assertThat(next).isNotSameAs(closed);
    assertThat(next.isOpen()).isTrue();
  }

  @Test
  void allChannelsLostToARestartAreReplaced() throws Exception {
    ChannelPool pool = pool(2);
    try (ChannelPool.Lease one = pool.borrow();
        ChannelPool.Lease two = pool.borrow()) {
      one.keep();
      two.keep();
    }
    uplink.closeChannels();
    try (ChannelPool.Lease one = pool.borrow();
        ChannelPool.Lease two = pool.borrow()) {
      assertThat(one.channel().isOpen()).isTrue();
      assertThat(two.channel().isOpen()).isTrue();
    }
  }

  @Test
  void anExhaustedPoolRefusesAfterItsWait() throws Exception {
    ChannelPool pool = pool(1);
    try (ChannelPool.Lease lease = pool.borrow()) {
      assertThatThrownBy(pool::borrow)
          .isInstanceOf(BrokerException.class)
          .hasMessageContaining("no channel free within 20 ms");
      lease.keep();
    }
    borrowAndKeep(pool);
  }

  @Test
  void aWaitingHolderGetsTheChannelThatComesBack() throws Exception {
    ChannelPool pool =
        new ChannelPool(uplink, new ChannelPool.Bounds(1, 2, Duration.ofSeconds(10)), _ -> {});
    Thread waiting;
    try (ChannelPool.Lease lease = pool.borrow()) {
      waiting = Thread.startVirtualThread(() -> use(pool, ConcurrentHashMap.newKeySet(), true));
      lease.keep();
    }
    assertThat(waiting.join(Duration.ofSeconds(10))).isTrue();
    assertThat(uplink.channelsOpened).hasValue(1);
  }

  @Test
  void withoutAConnectionBorrowingFails() {
    uplink.open(false);
    assertThatThrownBy(pool(1)::borrow)
        .isInstanceOf(BrokerException.class)
        .hasMessageContaining("no connection");
  }

  @Test
  void aChannelNeverHasTwoHolders() throws Exception {
    ChannelPool pool =
        new ChannelPool(uplink, new ChannelPool.Bounds(3, 2, Duration.ofSeconds(10)), _ -> {});
    Set<PooledChannel> held = ConcurrentHashMap.newKeySet();
    AtomicInteger uses = new AtomicInteger();
    List<Thread> holders = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      holders.add(
          Thread.ofPlatform()
              .start(() -> {
                for (int use = 0; use < 500; use++) {
                  uses.addAndGet(use(pool, held, use % 3 != 0) ? 1 : 0);
                }
              }));
    }
    for (Thread holder : holders) {
      holder.join();
    }
    assertThat(uses).hasValue(8 * 500);
    assertThat(pool.active()).isZero();
    assertThat(pool.idle()).isLessThanOrEqualTo(3);
  }

  /** True when nobody else held the channel. */
  private static boolean use(ChannelPool pool, Set<PooledChannel> held, boolean keep) {
    try (ChannelPool.Lease lease = pool.borrow()) {
      boolean alone = held.add(lease.channel());
      held.remove(lease.channel());
      if (keep) {
        lease.keep();
      }
      return alone;
    } catch (BrokerException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private ChannelPool pool(int channels) {
    return new ChannelPool(
        uplink, new ChannelPool.Bounds(channels, 2, Duration.ofMillis(20)), _ -> {});
  }

  private static PooledChannel borrowAndKeep(ChannelPool pool) throws Exception {
    try (ChannelPool.Lease lease = pool.borrow()) {
      lease.keep();
      return lease.channel();
    }
  }
}
