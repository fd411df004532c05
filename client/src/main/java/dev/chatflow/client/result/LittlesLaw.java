package dev.chatflow.client.result;

import dev.chatflow.client.plan.Pacing.Stage;
import dev.chatflow.client.record.Clock;
import dev.chatflow.client.record.Phase;
import dev.chatflow.client.record.Series;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Little's law, L = lambda x W: measured messages in flight, and the prediction from rate and
 * latency.
 *
 * @param part the run, or a part of it
 */
public record LittlesLaw(
    String part, double seconds, double measured, double perSecond, double millis) {

  private static final String WHOLE = "whole window";
  private static final String MAIN = Phase.MAIN.name().toLowerCase(Locale.ROOT);

  public double predicted() {
    return perSecond * millis / 1e3;
  }

  /** Returns the error of the prediction, in percent of the measurement. */
  public double difference() {
    return measured == 0 ? 0 : (predicted() - measured) * 100 / measured;
  }

  public static LittlesLaw ofRun(RunResult result) {
    return new LittlesLaw(
        WHOLE,
        result.record().windowSeconds(),
        result.meanInFlight(),
        result.acceptedPerSecond(),
        result.record().series().of(Series.ECHO, Clock.SERVICE).getMean() / 1e3);
  }

  /**
   * Returns every phase of the run separately, the main one by its stages, because an average over
   * different loads predicts neither.
   */
  public static List<LittlesLaw> ofParts(RunResult result, List<Intervals.Row> rows) {
    double main = result.record().phases().nanosBetween(Phase.CONNECT, Phase.MAIN) / 1e9;
    List<Stage> stages = result.plan().pacing().stages();
    List<String> parts = rows.stream().map(row -> part(row, stages, main)).toList();
    return parts.stream()
        .distinct()
        .flatMap(part -> {
          List<Intervals.Row> own =
              IntStream.range(0, rows.size())
                  .filter(i -> parts.get(i).equals(part))
                  .mapToObj(rows::get)
                  .toList();
          return of(part, own).stream();
        })
        .toList();
  }

  /** Returns the part that contains the middle of an interval. */
  private static String part(Intervals.Row row, List<Stage> stages, double main) {
    String phase = row.phase().name().toLowerCase(Locale.ROOT);
    if (row.phase() != Phase.MAIN || stages.isEmpty()) {
      return phase;
    }
    double left = row.seconds() - row.length() / 2 - main;
    int number = 0;
    while (number < stages.size() - 1 && left >= stages.get(number).length().toNanos() / 1e9) {
      left -= stages.get(number++).length().toNanos() / 1e9;
    }
    return String.format(
        Locale.ROOT,
        "%s, stage %d (%s/s)",
        phase,
        number + 1,
        Numbers.plain(stages.get(number).ratePerSecond()));
  }

  private static Optional<LittlesLaw> of(String part, List<Intervals.Row> own) {
    double seconds = own.stream().mapToDouble(Intervals.Row::length).sum();
    double accepted = own.stream().mapToDouble(Intervals.Row::accepted).sum();
    double weighted = own.stream().mapToDouble(row -> row.meanInFlight() * row.length()).sum();
    double latency = own.stream().mapToDouble(row -> row.echoMeanMillis() * row.accepted()).sum();
    return accepted == 0
        ? Optional.empty()
        : Optional.of(
            new LittlesLaw(
                part, seconds, weighted / seconds, accepted / seconds, latency / accepted));
  }

  public List<String> cells() {
    return List.of(
        part,
        String.format(Locale.ROOT, "%.1f", seconds),
        String.format(Locale.ROOT, "%,.1f", measured),
        String.format(Locale.ROOT, "%,.0f", perSecond),
        String.format(Locale.ROOT, "%,.2f", millis),
        String.format(Locale.ROOT, "%,.1f", predicted()),
        isSteady() ? String.format(Locale.ROOT, "%+.1f", difference()) : "-");
  }

  /** Returns whether sends and answers balance; later parts have only answers. */
  private boolean isSteady() {
    return part.equals(WHOLE) || part.startsWith(MAIN);
  }
}
