package dev.chatflow.client.compat;

import dev.chatflow.client.record.Csv;
import dev.chatflow.client.record.MessageFigures;
import dev.chatflow.client.result.RunResult;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.GZIPOutputStream;

/**
 * Writes {@code messages.csv.gz}: one row per message with the header of chatflow-go's client,
 * latency in milliseconds from write to own copy. Stateless.
 */
public final class ChatFlowGoMessages {
  private static final int OK = 200;
  private static final int NO_ANSWER = 504;

  private ChatFlowGoMessages() {}

  public static void write(
      Path directory, RunResult result, Consumer<MessageFigures.Receiver> messages)
      throws IOException {
    Instant origin = result.record().started();
    Path file = directory.resolve("messages.csv.gz");
    try (Writer out =
        new OutputStreamWriter(
            new GZIPOutputStream(Files.newOutputStream(file), 1 << 16),
            StandardCharsets.US_ASCII)) {
      out.write("Timestamp,MessageType,Latency,StatusCode,RoomId\n");
      messages.accept(message -> row(out, origin, message));
    } catch (UncheckedIOException e) {
      throw new IOException("cannot write messages.csv.gz", e);
    }
  }

  private static void row(Writer out, Instant origin, MessageFigures message) {
    Instant written = origin.plusNanos(message.writtenNanos());
    double millis = Math.max(0, message.latencyNanos()) / 1e6;
    int status = message.isAccepted() ? OK : NO_ANSWER;
    try {
      out.write(Csv.line(List.of(written, message.type(), millis, status, message.room())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
