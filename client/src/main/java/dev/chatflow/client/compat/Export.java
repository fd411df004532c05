package dev.chatflow.client.compat;

import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.plan.Workload;
import dev.chatflow.client.record.Csv;
import dev.chatflow.client.result.RunResult;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** Tables in the formats of other programs, created row by row from a stored run's large files. */
public enum Export {
  LATENCY("deliveries"),
  SENT_VS_RECEIVED("deliveries"),
  SKIER("messages");

  private final String kind;

  Export(String kind) {
    this.kind = kind;
  }

  /** Writes the summaries of every run. */
  public static void summaries(Path directory, RunResult result) throws IOException {
    Files.writeString(directory.resolve("summary.chatflow-go.txt"), ChatFlowGoReport.of(result));
    Files.writeString(directory.resolve("summary.skier.txt"), Skier.summary(result));
    Files.writeString(directory.resolve("throughput_10s.csv"), ChatFlowCs6650.throughput(result));
  }

  /** Writes the file into the run's directory and returns its path. */
  public Path write(Path directory, RunResult result) throws IOException {
    Workload workload = result.plan().workload();
    String size = workload.rooms() + "-" + workload.roomSize();
    Path source = directory.resolve(kind + ".csv.gz");
    if (!Files.isReadable(source)) {
      throw CommandFailure.usage("this export needs " + source + ": run again with --csv " + kind);
    }
    Path file =
        directory.resolve(
            switch (this) {
              case LATENCY -> "latency_" + size + ".csv";
              case SENT_VS_RECEIVED -> "sent-vs-received_" + size + ".csv";
              case SKIER -> "output.csv";
            });
    try (BufferedReader in = unpacked(source);
        Writer out = Files.newBufferedWriter(file)) {
      Stream<String[]> rows = in.lines().map(Csv::cells);
      Consumer<String> lines = line -> write(out, line);
      switch (this) {
        case LATENCY -> ScaleChatTables.latency(rows, lines);
        case SENT_VS_RECEIVED ->
            ScaleChatTables.sentVersusReceived(rows, workload.roomSize(), lines);
        case SKIER -> Skier.requests(rows, lines);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return file;
  }

  private static void write(Writer out, String line) {
    try {
      out.write(line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static BufferedReader unpacked(Path source) throws IOException {
    return new BufferedReader(
        new InputStreamReader(
            new GZIPInputStream(Files.newInputStream(source), 1 << 16), StandardCharsets.US_ASCII));
  }
}
