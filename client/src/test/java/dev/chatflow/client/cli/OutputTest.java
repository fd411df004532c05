package dev.chatflow.client.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.ExitCode;
import dev.chatflow.client.result.RunResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OutputTest {
  private static final Instant NOW = Instant.parse("2026-11-22T19:05:09Z");

  @TempDir Path directory;

  private @Nullable Path chosen(Path out) {
    return Parsed.of("-o " + out).options.output.directory(NOW);
  }

  @Test
  void filesGoToTheGivenDirectoryOrIntoResults() {
    assertThat(chosen(directory.resolve("a/b"))).isEqualTo(directory.resolve("a/b"));
    OutputOptions all = Parsed.of("-l night").options.output;
    assertThat(all.directory(NOW)).isEqualTo(Path.of("results", "20261122-190509-night"));
    assertThat(all.isLogged()).isTrue();
    assertThat(Parsed.of("-o " + directory).options.output.isLogged()).isFalse();
    assertThat(Parsed.of("-o none").options.output.directory(NOW)).isNull();
  }

  @Test
  void pathBelowAFileFailsBeforeTheRun() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "x");
    assertThatThrownBy(() -> chosen(file.resolve("below")))
        .isInstanceOfSatisfying(
            CommandFailure.class,
            failure -> assertThat(failure.exitCode()).isEqualTo(ExitCode.FAILED))
        .hasMessageContainingAll("--out: ", "cannot be written", "none for no files");
  }

  @Test
  void directoryOfAnotherRunIsNotOverwritten() throws IOException {
    Files.writeString(directory.resolve("record.json"), "{}");
    assertThatThrownBy(() -> chosen(directory))
        .isInstanceOfSatisfying(
            CommandFailure.class,
            failure -> assertThat(failure.exitCode()).isEqualTo(ExitCode.USAGE))
        .hasMessageContaining("already holds a run");
  }

  @Test
  void emptyDirectoryMayBeUsed() {
    assertThat(chosen(directory)).isEqualTo(directory);
  }

  @Test
  void tagKeepsLabelNotesAndTarget() {
    RunResult.Tag tag =
        Parsed.of("-l night --note why=kept --note who=me --apdex 100ms")
            .options
            .output
            .tag(List.of("-l", "night"), List.of());
    assertThat(tag.label()).isEqualTo("night");
    assertThat(tag.notes()).containsEntry("why", "kept").containsEntry("who", "me");
    assertThat(tag.apdex()).isEqualTo(Duration.ofMillis(100));
    assertThat(tag.arguments()).containsExactly("-l", "night");
  }
}
