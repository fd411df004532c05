package dev.chatflow.server.publish;

import dev.chatflow.broker.Lane;
import dev.chatflow.consumer.room.ShardLink;
import dev.chatflow.message.MessageType;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.Shard;
import dev.chatflow.server.publish.channel.Flight;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What a lane costs a message: its place in the queue and in a flight. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class FlightBenchmark {

  private static final int MESSAGES = 300;
  private static final int LINE_BYTES = 260;
  private static final Drained NOBODY = () -> {};

  private final ShardLink link = new ShardLink(new Shard(1));
  private final Lane lane = new Lane("server-2", 1_700_000_000_123L, 1);
  private final FlightBuilder builder = new FlightBuilder(lane, link, System::currentTimeMillis);
  private final LaneQueue queue = new LaneQueue(16 << 20);
  private final Outgoing line =
      new Outgoing.Line(new RoomId("5"), new byte[LINE_BYTES], "id", MessageType.TEXT, 0);
  private long sequence;

  /** Offer of 300 lines and one flight of them; the figure is for one. */
  @Benchmark
  @OperationsPerInvocation(MESSAGES)
  public Flight offerAndBuild() {
    for (int i = 0; i < MESSAGES; i++) {
      boolean _ = queue.offer(line, NOBODY);
    }
    return builder.build(queue, ++sequence, 0);
  }

  /** A lone message: offer and flight. */
  @Benchmark
  public Flight single() {
    boolean _ = queue.offer(line, NOBODY);
    return builder.build(queue, ++sequence, 0);
  }
}
