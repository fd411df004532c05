package dev.chatflow.server.publish;

import dev.chatflow.broker.Lane;
import dev.chatflow.log.ClusterTime;
import dev.chatflow.log.PresenceHeaders;
import dev.chatflow.message.MessageType;
import dev.chatflow.room.RoomId;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Measures the lane per message: the queue and the flight. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class FlightBenchmark {

  private static final int MESSAGES = 300;
  private static final int LINE_BYTES = 260;
  private static final LaneSender NO_SENDER = () -> {};

  private final EntryBuilder builder =
      new EntryBuilder(
          new Lane("server-2", 1_700_000_000_123L, 1),
          new ClusterTime(System::nanoTime, 1_700_000_000_123L));
  private final LaneQueue queue = new LaneQueue(16 << 20, new LaneBook());
  private final byte[] line = new byte[LINE_BYTES];
  private long number;

  /** Creates it with an open queue. */
  public FlightBenchmark() {
    queue.open();
  }

  /** Offers 300 lines and builds a flight; the result is per line. */
  @Benchmark
  @OperationsPerInvocation(MESSAGES)
  public LaneEntry offerAndBuild() {
    for (int i = 0; i < MESSAGES; i++) {
      offer();
    }
    return build();
  }

  /** Offers and builds a flight of one message. */
  @Benchmark
  public LaneEntry single() {
    offer();
    return build();
  }

  private void offer() {
    OfferResult _ =
        queue.offer(
            read -> new WaitingLine(new RoomId("5"), line, "id", MessageType.TEXT, read, 0, null),
            NO_SENDER);
  }

  private LaneEntry build() {
    LaneEntry entry = builder.build(queue, ++number, 0, PresenceHeaders.NONE);
    queue.back(entry.body().length - entry.lines() + 1L);
    return entry;
  }
}
