package dev.chatflow.client.report;

import dev.chatflow.client.record.Clock;
import dev.chatflow.client.record.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * L = lambda x W: messages in flight as measured, and as rate and latency of the same time predict.
 *
 * @param part the run, or a stretch of it
 */
record LittlesLaw(String part, double seconds, double measured, double perSecond, double millis) {

  double predicted() {
    return perSecond * millis / 1e3;
  }

  /** How far the prediction is off, in percent of what was measured. */
  double difference() {
    return measured == 0 ? 0 : (predicted() - measured) * 100 / measured;
  }

  static LittlesLaw ofRun(RunResult result) {
    return new LittlesLaw(
        "whole window",
        result.record().windowSeconds(),
        result.meanInFlight(),
        result.acceptedPerSecond(),
        result.record().series().of(Series.ECHO, Clock.SERVICE).getMean() / 1e3);
  }

  /** Every stretch of the run on its own: an average over different loads predicts neither. */
  static List<LittlesLaw> ofParts(List<Intervals.Row> rows) {
    List<LittlesLaw> parts = new ArrayList<>();
    for (String part : rows.stream().map(Intervals.Row::part).distinct().toList()) {
      List<Intervals.Row> own = rows.stream().filter(row -> row.part().equals(part)).toList();
      double seconds = own.stream().mapToDouble(Intervals.Row::length).sum();
      double accepted = own.stream().mapToDouble(Intervals.Row::accepted).sum();
      double weighted = own.stream().mapToDouble(row -> row.meanInFlight() * row.length()).sum();
      double latency = own.stream().mapToDouble(row -> row.echoMeanMillis() * row.accepted()).sum();
      if (accepted > 0) {
        parts.add(
            new LittlesLaw(
                part, seconds, weighted / seconds, accepted / seconds, latency / accepted));
      }
    }
    return parts;
  }

  List<String> cells() {
    return List.of(
        part,
        String.format(Locale.ROOT, "%.1f", seconds),
        String.format(Locale.ROOT, "%,.1f", measured),
        String.format(Locale.ROOT, "%,.0f", perSecond),
        String.format(Locale.ROOT, "%,.2f", millis),
        String.format(Locale.ROOT, "%,.1f", predicted()),
        String.format(Locale.ROOT, "%+.1f", difference()));
  }
}
