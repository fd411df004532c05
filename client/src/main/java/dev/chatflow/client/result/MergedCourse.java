package dev.chatflow.client.result;

import dev.chatflow.client.record.Phase;
import dev.chatflow.client.record.Progress;
import dev.chatflow.client.record.SeriesSet;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The merged course of several parts, in intervals of the first part's length. An interval of a
 * part counts at its end. Belongs to one thread.
 */
final class MergedCourse {

  /** The parts' intervals that ended in one interval of the merged run. */
  private static final class Slot {
    final SeriesSet series = new SeriesSet();
    final Map<Integer, Long> inFlight = new HashMap<>();
    Phase phase = Phase.DONE;
    double seconds;
    long sent;
    long delivered;
    double inFlightNanos;
    double cpuNanos;
  }

  private final TreeMap<Long, Slot> slots = new TreeMap<>();
  private final double length;

  private MergedCourse(double length) {
    this.length = length;
  }

  static Intervals of(List<StoredRun> parts, Instant origin) {
    MergedCourse course = new MergedCourse(lengthOf(parts.getFirst().intervals().rows()));
    for (int part = 0; part < parts.size(); part++) {
      StoredRun run = parts.get(part);
      course.take(part, run.intervals(), MergedParts.later(run, origin) / 1e9);
    }
    return course.intervals(parts.getFirst(), origin);
  }

  /** Returns the usual length, because the first and the last interval may differ. */
  private static double lengthOf(List<Intervals.Row> rows) {
    double[] lengths = rows.stream().mapToDouble(Intervals.Row::length).sorted().toArray();
    return lengths.length == 0 ? 1 : lengths[lengths.length / 2];
  }

  private void take(int part, Intervals own, double later) {
    for (Intervals.Row row : own.rows()) {
      Slot slot = slotAt(row.seconds() + later);
      slot.phase = slot.phase.compareTo(row.phase()) < 0 ? slot.phase : row.phase();
      slot.seconds = Math.max(slot.seconds, row.seconds() + later);
      slot.sent += row.sent();
      slot.delivered += row.delivered();
      slot.inFlight.put(part, row.inFlight());
      slot.inFlightNanos += row.meanInFlight() * row.length() * 1e9;
      slot.cpuNanos += row.cpuPercent() * row.length() * 1e7;
    }
    own.eachInterval((series, clock, histogram) ->
        slotAt(own.endOf(histogram) + later).series.of(series, clock).add(histogram));
  }

  private Slot slotAt(double seconds) {
    return slots.computeIfAbsent((long) (seconds / length), _ -> new Slot());
  }

  private Intervals intervals(StoredRun first, Instant origin) {
    Intervals whole = new Intervals(origin.toEpochMilli(), 0, first.result().mainClock());
    Progress sum = Progress.NONE;
    double cpu = 0;
    for (Slot slot : slots.values()) {
      long inFlight = slot.inFlight.values().stream().mapToLong(Long::longValue).sum();
      sum =
          new Progress(
              0,
              0,
              sum.sent() + slot.sent,
              sum.delivered() + slot.delivered,
              inFlight,
              0,
              0,
              sum.inFlightNanos() + slot.inFlightNanos);
      cpu += slot.cpuNanos;
      whole.add(slot.phase, Math.round(slot.seconds * 1e9), sum, slot.series, Math.round(cpu));
    }
    return whole;
  }
}
