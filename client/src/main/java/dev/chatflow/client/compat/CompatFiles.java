package dev.chatflow.client.compat;

import dev.chatflow.client.result.RunResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What every run leaves in the forms of other programs. Stateless. */
public final class CompatFiles {
  private CompatFiles() {}

  public static void write(Path directory, RunResult result) throws IOException {
    Files.writeString(directory.resolve("summary.chatflow-go.txt"), ChatFlowGoReport.of(result));
    Files.writeString(directory.resolve("summary.skier.txt"), SkierReport.of(result));
    Files.writeString(directory.resolve("throughput_10s.csv"), ChatFlowCs6650.throughput(result));
  }
}
