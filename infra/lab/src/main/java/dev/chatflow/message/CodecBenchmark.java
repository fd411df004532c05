package dev.chatflow.message;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import com.google.gson.Strictness;
import com.google.gson.TypeAdapter;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import dev.chatflow.room.Payload;
import dev.chatflow.room.RoomId;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Measures the codec per message: from the client's frame to the broker line, and from the line to
 * the frame.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CodecBenchmark {

  private static final ChatMessage.Origin ORIGIN =
      new ChatMessage.Origin("server-2", "k3f9-1a2", "203.0.113.7");

  private final LineReader reader = new LineReader();
  private final RoomId room = new RoomId("5");
  private final String frame =
      "{\"messageType\":\"TEXT\",\"userId\":\"17\",\"username\":\"user17\",\"message\":\"hello,"
          + " how are"
          + " you?\",\"timestamp\":\"2026-11-20T18:46:00.123Z\",\"messageId\":\"c-17-000042\"}";
  private byte[] line = {};

  @Setup
  public void makeLine() {
    line = frameToLine();
  }

  /** Parses, checks and writes: hops 2 and 3 of a message. */
  @Benchmark
  public byte[] frameToLine() {
    if (!(MessageCodec.parse(frame, room, new ClientRules(UserIds.NUMBER))
        instanceof Parsed.Valid(ClientMessage message))) {
      throw new IllegalStateException("refused");
    }
    return LineWriter.line(new ChatMessage(message, room, 1_763_664_360_125L, ORIGIN, false));
  }

  /** Scans, checks and cuts: hop 8 of a message, with a copy of the line, which is modified. */
  @Benchmark
  public Payload lineToFrame() {
    byte[] copy = line.clone();
    if (!(reader.read(copy, 0, copy.length) instanceof Line.Message message)) {
      throw new IllegalStateException("refused " + new String(copy, StandardCharsets.UTF_8));
    }
    return message.payload();
  }

  /** Does the work of {@link #frameToLine} with Gson's reader and writer and the JDK's times. */
  @Benchmark
  public byte[] frameToLineByGson() throws IOException {
    JsonObject fields = GsonForm.read(frame);
    ClientMessage message = GsonForm.content(fields);
    return GsonForm.line(new ChatMessage(message, room, 1_763_664_360_125L, ORIGIN, false));
  }

  /** Does the work of {@link #lineToFrame} with Gson's reader and writer and the JDK's times. */
  @Benchmark
  public byte[] lineToFrameByGson() throws IOException {
    JsonObject fields = GsonForm.read(new String(line, StandardCharsets.UTF_8));
    long millis = GsonForm.millis(fields.get("serverTimestamp").getAsString());
    ClientMessage content = GsonForm.content(fields);
    ChatMessage.Origin origin =
        new ChatMessage.Origin(
            fields.get("serverId").getAsString(),
            fields.get("session").getAsString(),
            fields.get("clientIp").getAsString());
    RoomId of = new RoomId(fields.get("roomId").getAsString());
    return GsonForm.broadcast(new ChatMessage(content, of, millis, origin, false));
  }

  /** A codec that uses libraries, with the same fields, checks and bytes. */
  private static final class GsonForm {
    private static final TypeAdapter<JsonObject> OBJECTS = new Gson().getAdapter(JsonObject.class);
    private static final DateTimeFormatter TIME =
        DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    static JsonObject read(String text) throws IOException {
      JsonReader reader = new JsonReader(Reader.of(text));
      reader.setStrictness(Strictness.STRICT);
      return OBJECTS.read(reader);
    }

    static ClientMessage content(JsonObject fields) {
      return new ClientMessage(
          MessageType.valueOf(fields.get("messageType").getAsString()),
          fields.get("userId").getAsString(),
          fields.get("username").getAsString(),
          fields.get("message").getAsString(),
          fields.get("timestamp").getAsString(),
          fields.get("messageId").getAsString());
    }

    static long millis(String time) {
      return OffsetDateTime.parse(time).toInstant().toEpochMilli();
    }

    static byte[] line(ChatMessage message) throws IOException {
      return write(message, true);
    }

    static byte[] broadcast(ChatMessage message) throws IOException {
      return write(message, false);
    }

    private static byte[] write(ChatMessage message, boolean withOrigin) throws IOException {
      ClientMessage content = message.content();
      StringWriter text = new StringWriter();
      JsonWriter json = new JsonWriter(text);
      json.beginObject();
      json.name("messageType").value(content.type().name());
      json.name("roomId").value(message.room().value());
      json.name("userId").value(content.userId());
      json.name("username").value(content.username());
      json.name("message").value(content.message());
      json.name("timestamp").value(content.timestamp());
      json.name("messageId").value(message.messageId());
      json.name("serverTimestamp").value(TIME.format(Instant.ofEpochMilli(message.serverMillis())));
      json.name("serverId").value(message.origin().serverId());
      json.name("status").value(200);
      if (withOrigin) {
        json.name("session").value(message.origin().connectionId());
        json.name("clientIp").value(message.origin().clientIp());
      }
      json.endObject();
      return text.toString().getBytes(StandardCharsets.UTF_8);
    }
  }
}
