package dev.chatflow.room;

import static dev.chatflow.room.Soon.soon;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One reader thread appends, members join, leave and die, writers run rounds, transports read late:
 * every member gets its range of the room byte for byte, and bytes in flight never change.
 */
class RoomLogStressTest {

  private static final int SEGMENT = 512;
  private static final int LOG = 128 << 10;

  /** The size of the past. */
  private static final int PAST = LOG / 8;

  /** Maximum number of spins between a transport's two reads of a range. */
  private static final int LONGEST_READ = 2000;

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2})
  void everyMemberGetsItsRangeByteForByte(long seed) {
    try (FanOut fanOut = new FanOut(new FanOutConfig(2, 8, Duration.ofMillis(2)));
        ExecutorService transport = Executors.newFixedThreadPool(2)) {
      fanOut.start();
      new Scenario(new Random(seed), fanOut, transport).run(1500);
    }
  }

  private static final class Scenario {

    private final Random random;
    private final ExecutorService transport;
    private final Rooms rooms;
    private final Room room;
    private final ByteArrayOutputStream all = new ByteArrayOutputStream();
    private final List<JoinedTime> present = new ArrayList<>();
    private final Set<LateMember> gone = new HashSet<>();
    private final AtomicInteger changedInTheAir = new AtomicInteger();
    private int count;

    Scenario(Random random, FanOut fanOut, ExecutorService transport) {
      this.random = random;
      this.transport = transport;
      this.rooms =
          new Rooms(
              new RoomsConfig(1, LOG, 2 * LOG, PAST, LOG / 4, Duration.ofSeconds(10)),
              fanOut,
              new SegmentPool(2 * LOG, SEGMENT));
      this.room = rooms.room(new RoomId("1"));
    }

    void run(int steps) {
      join();
      for (int i = 0; i < steps; i++) {
        int dice = random.nextInt(100);
        if (dice < 3 && present.size() < 8) {
          join();
        } else if (dice < 5 && present.size() > 1) {
          leave(random.nextInt(present.size()), dice == 4);
        } else if (dice < 7) {
          comeAgain(random.nextInt(present.size()));
        } else {
          accept(new RoomEvent.Said(frame(random.nextInt(300))));
        }
        if (i % 64 == 0) {
          rooms.tick();
        }
      }
      while (!present.isEmpty()) {
        leave(0, false);
      }
      verify();
    }

    private void join() {
      join(new LateMember("s" + ++count));
    }

    private void join(LateMember member) {
      present.add(new JoinedTime(member, all.size()));
      String connectionId = member.connectionId();
      RoomEvent.Newcomer newcomer = new RoomEvent.Newcomer(member, Past.NONE);
      accept(
          new RoomEvent.Joined(
              new UserDevice(connectionId.substring(1), ""),
              connectionId,
              false,
              frame(40),
              newcomer));
    }

    /** Begins the next membership while the last frames of the previous one may not be written. */
    private void comeAgain(int index) {
      LateMember member = present.get(index).member;
      leave(index, false);
      join(member);
    }

    private void leave(int index, boolean dies) {
      JoinedTime stay = present.remove(index);
      gone.add(stay.member);
      if (dies) {
        stay.member.close(CloseReason.NORMAL);
      }
      String connectionId = stay.member.connectionId();
      accept(
          new RoomEvent.Left(
              new UserDevice(connectionId.substring(1), ""), connectionId, false, frame(40)));
      stay.member.shown.writeBytes(Arrays.copyOfRange(all.toByteArray(), stay.begin, all.size()));
    }

    private void accept(RoomEvent event) {
      rooms.show(room.id(), event);
    }

    /** Returns a payload of this length, whose frame is also added to the model. */
    private Payload frame(int length) {
      byte[] text = "%d,".formatted(all.size()).repeat(length / 4 + 1).getBytes(US_ASCII);
      all.write(0x81);
      if (text.length < 126) {
        all.write(text.length);
      } else {
        all.write(126);
        all.write(text.length >> 8);
        all.write(text.length);
      }
      all.writeBytes(text);
      return new Payload(text);
    }

    private void verify() {
      soon().until(() -> rooms.areCaughtUp() && gone.stream().noneMatch(each -> each.writing));
      int closed = 0;
      for (LateMember member : gone) {
        byte[] got = member.received();
        byte[] shown = member.shown.toByteArray();
        assertThat(got).isEqualTo(member.isClosed() ? Arrays.copyOf(shown, got.length) : shown);
        closed += member.isClosed() ? 1 : 0;
      }
      assertThat(closed).isLessThan(gone.size());
      assertThat(changedInTheAir).hasValue(0);
      soon()
          .until(() -> {
            rooms.tick();
            return rooms.logBytes() <= PAST + 2 * SEGMENT && room.readers().isEmpty();
          });
    }

    private static final class JoinedTime {
      private final LateMember member;
      private final int begin;

      JoinedTime(LateMember member, int begin) {
        this.member = member;
        this.begin = begin;
      }
    }

    /**
     * Reads each range on another thread, late and twice, even if it was closed in the meantime.
     */
    private final class LateMember extends PlainMember {
      private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
      private final ByteArrayOutputStream received = new ByteArrayOutputStream();
      private volatile boolean closed;
      private volatile boolean writing;

      LateMember(String connectionId) {
        super(connectionId);
      }

      @Override
      public void write(LogRange range, Runnable done) {
        if (writing) {
          throw new IllegalStateException("two writes in flight");
        }
        writing = true;
        transport.execute(() -> transmit(range, done));
      }

      private void transmit(LogRange range, Runnable done) {
        byte[] first = copy(range);
        for (int i = ThreadLocalRandom.current().nextInt(LONGEST_READ); i > 0; i--) {
          Thread.onSpinWait();
        }
        byte[] second = copy(range);
        if (!Arrays.equals(first, second)) {
          changedInTheAir.incrementAndGet();
        }
        synchronized (received) {
          received.writeBytes(second);
        }
        writing = false;
        done.run();
      }

      byte[] received() {
        synchronized (received) {
          return received.toByteArray();
        }
      }

      @Override
      public boolean isClosed() {
        return closed;
      }

      @Override
      public void close(CloseReason reason) {
        closed = true;
      }
    }
  }

  private static byte[] copy(LogRange range) {
    byte[] bytes = new byte[range.bytes()];
    int at = 0;
    for (ByteBuffer buffer : range.buffers()) {
      int length = buffer.remaining();
      buffer.get(bytes, at, length);
      at += length;
    }
    return bytes;
  }
}
