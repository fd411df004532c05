package dev.chatflow.client.report;

import dev.chatflow.client.record.MessageFigures;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.zip.GZIPOutputStream;

/**
 * Writes {@code messages.csv.gz}: one row per message with the seeds' header, latency in
 * milliseconds from write to own copy. Stateless.
 */
public final class MessageFile {
  private static final String HEADER = "Timestamp,MessageType,Latency,StatusCode,RoomId\n";
  private static final int OK = 200;
  private static final int NO_ANSWER = 504;

  private MessageFile() {}

  public static void write(Path directory, RunResult result, Consumer<MessageFigures.Sink> messages)
      throws IOException {
    Instant origin = result.record().started();
    Path file = directory.resolve("messages.csv.gz");
    try (Writer out =
        new OutputStreamWriter(
            new GZIPOutputStream(Files.newOutputStream(file), 1 << 16),
            StandardCharsets.US_ASCII)) {
      out.write(HEADER);
      messages.accept(message -> row(out, origin, message));
    } catch (UncheckedIOException e) {
      throw new IOException("messages.csv.gz not written", e);
    }
  }

  private static void row(Writer out, Instant origin, MessageFigures message) {
    double millis = Math.max(0, message.latencyNanos()) / 1e6;
    try {
      out.write(
          origin.plusNanos(message.writtenNanos())
              + ","
              + message.type()
              + String.format(Locale.ROOT, ",%.3f,", millis)
              + (message.isAccepted() ? OK : NO_ANSWER)
              + ","
              + message.room()
              + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
