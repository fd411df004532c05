package dev.chatflow.room;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Measures the room log: one append, and one range as a member reads it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RoomLogBenchmark {

  private static final long LOG_BYTES = 4 << 20;
  private static final int FRAME_BYTES = 204;
  private static final int HEADER_BYTES = 4;

  /** Frames of a range. */
  @Param({"1", "16", "256"})
  public int frames;

  private final Payload payload = new Payload(new byte[FRAME_BYTES - HEADER_BYTES]);
  private final RoomLog appended = new RoomLog(new SegmentPool(LOG_BYTES), LOG_BYTES);
  private final RoomLog read = new RoomLog(new SegmentPool(LOG_BYTES), LOG_BYTES);
  private int sinceRelease;

  /** Fills the room log that is only read. */
  @Setup
  public void fill() {
    for (int i = 0; i < frames; i++) {
      append(read);
    }
  }

  private RoomLog.Full append(RoomLog log) {
    RoomLog.Full full = log.append(payload);
    if (full != RoomLog.Full.NO) {
      throw new IllegalStateException("full");
    }
    return full;
  }

  /** Appends a frame, and releases the read frames after every {@link #frames}. */
  @Benchmark
  public Object append() {
    RoomLog.Full full = append(appended);
    if (++sinceRelease == frames) {
      sinceRelease = 0;
      appended.release(appended.tail().position());
    }
    return full;
  }

  /** Reads a range from a boundary to the tail, as buffers for a gathered write. */
  @Benchmark
  public ByteBuffer[] range() {
    return read.range(Boundary.START, read.tail()).buffers();
  }
}
