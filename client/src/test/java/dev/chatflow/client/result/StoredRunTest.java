package dev.chatflow.client.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.fake.StoredRuns;
import dev.chatflow.client.record.Clock;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.report.JsonReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class StoredRunTest {
  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"open", "closed", "skier"})
  void storedRunIsUnchangedAfterWritingAndReading(String name) {
    StoredRun run = StoredRuns.read(name);
    write(run);
    assertThat(JsonReport.of(StoredRun.read(directory).result()))
        .isEqualTo(JsonReport.of(run.result()));
  }

  @Test
  void observationsAreRestored() {
    StoredRun run = StoredRuns.observed();
    write(run);
    var seen = StoredRun.read(directory).result().observations();
    assertThat(seen.metric("chat_queue_depth", "max")).hasValue(5);
    assertThat(seen.scrapes().getFirst().samples().gaps()).isEqualTo(1);
    assertThat(seen.consumer()).isNotNull();
    assertThat(seen.complaints()).hasSize(1);
    assertThat(seen.broker()).isNotNull();
    assertThat(seen.broker().depth().column("ready")).containsExactly(10, 212, 4);
    assertThat(seen.broker().viaApi()).containsExactly("own");
    assertThat(Files.exists(directory.resolve("scrape-1.csv"))).isTrue();
  }

  @Test
  void intervalsAreRestored() {
    StoredRun run = StoredRuns.read("open");
    write(run);
    Intervals again = StoredRun.read(directory).intervals();
    assertThat(again.rows()).isEqualTo(run.intervals().rows());
    assertThat(again.log()).isEqualTo(run.intervals().log());
    assertThat(again.histograms(Series.DELIVERY, Clock.RESPONSE))
        .isNotEmpty()
        .hasSameSizeAs(run.intervals().histograms(Series.DELIVERY, Clock.RESPONSE));
  }

  @Test
  void histogramsOfTheRunAreTheSumOfItsIntervals() {
    StoredRun run = StoredRuns.read("open");
    long sum =
        run.intervals().histograms(Series.ECHO, Clock.SERVICE).stream()
            .mapToLong(histogram -> histogram.getTotalCount())
            .sum();
    assertThat(run.result().record().series().of(Series.ECHO, Clock.SERVICE).getTotalCount())
        .isEqualTo(sum)
        .isEqualTo(440);
  }

  @Test
  void countMissingInAnOlderVersionIsZero() throws IOException {
    write(StoredRuns.read("closed"));
    Path record = directory.resolve("record.json");
    Files.writeString(
        record, Files.readString(record).replaceFirst("\"textsUntried\":[0-9]+,", ""));
    assertThat(StoredRun.read(directory).result().record().tally().of(Count.TEXTS_UNTRIED))
        .isZero();
  }

  @Test
  void externalEventsAreReadWithTheRun() throws IOException {
    StoredRun run = StoredRuns.read("closed");
    write(run);
    String at = run.result().record().started().plusMillis(1_500).toString();
    Files.writeString(directory.resolve("events"), "\nnot a time\n" + at + "  broker restarted\n");
    assertThat(StoredRun.read(directory).intervals().events())
        .isEqualTo(List.of(new Intervals.Event(1.5, "broker restarted")));
  }

  @Test
  void eventWithoutATextIsRead() throws IOException {
    StoredRun run = StoredRuns.read("closed");
    write(run);
    Files.writeString(directory.resolve("events"), run.result().record().started() + "\n");
    assertThat(StoredRun.read(directory).intervals().events())
        .isEqualTo(List.of(new Intervals.Event(0, "")));
  }

  @Test
  void directoryWithoutARunIsRejected() throws IOException {
    assertThatThrownBy(() -> StoredRun.read(directory.resolve("absent")))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("no run can be read from");
    Files.writeString(directory.resolve("record.json"), "{\"plan\": 5");
    assertThatThrownBy(() -> StoredRun.read(directory))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("no run can be read from");
  }

  private void write(StoredRun run) {
    try {
      run.write(directory);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
