package dev.chatflow.message;

import dev.chatflow.message.line.Line;
import dev.chatflow.message.line.LineReader;
import dev.chatflow.message.line.LineWriter;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.log.Payload;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What the codec costs a message: the client's frame to the broker line, the line to the frame. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CodecBenchmark {

  private static final ChatMessage.Origin ORIGIN =
      new ChatMessage.Origin("server-2", "k3f9-1a2", "203.0.113.7");

  private final LineReader reader = new LineReader();
  private final RoomId room = new RoomId("5");
  private final String frame =
      "{\"messageType\":\"TEXT\",\"userId\":\"17\",\"username\":\"user17\",\"message\":\"hello, how are"
          + " you?\",\"timestamp\":\"2026-11-20T18:46:00.123Z\",\"messageId\":\"c-17-000042\"}";
  private byte[] line = {};

  @Setup
  public void makeLine() {
    line = frameToLine();
  }

  /** Parse, check, write: hops 2 and 3 of a message. */
  @Benchmark
  public byte[] frameToLine() {
    if (!(MessageCodec.parse(frame, room) instanceof Parsed.Valid(ClientMessage message))) {
      throw new IllegalStateException("refused");
    }
    return LineWriter.line(new ChatMessage(message, room, 1_763_664_360_125L, ORIGIN, false));
  }

  /** Scan, check, cut: hop 8 of a message, with a copy of the line, which is written to. */
  @Benchmark
  public Payload lineToFrame() {
    byte[] copy = line.clone();
    if (!(reader.read(copy, 0, copy.length) instanceof Line.Message message)) {
      throw new IllegalStateException("refused " + new String(copy, StandardCharsets.UTF_8));
    }
    return message.payload();
  }
}
