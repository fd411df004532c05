package dev.chatflow.client.result;

import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.observe.Observations;
import dev.chatflow.client.observe.Scrape;
import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.record.ConnectionFigures;
import dev.chatflow.client.record.HalfSeconds;
import dev.chatflow.client.record.Phase;
import dev.chatflow.client.record.PhaseTimes;
import dev.chatflow.client.record.RoomFigures;
import dev.chatflow.client.record.RunRecord;
import dev.chatflow.client.record.Samples;
import dev.chatflow.client.record.SenderFigures;
import dev.chatflow.client.record.SeriesSet;
import dev.chatflow.client.record.Tally;
import dev.chatflow.client.record.Traffic;
import dev.chatflow.client.verify.Findings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Merges the parts of a run: adds up counts, findings and histograms; times are since the first
 * part's origin, by the machines' clocks. A room has one row per part. Stateless.
 */
public final class MergedParts {
  private MergedParts() {}

  /** Returns the number of a part, from 1; rejects a whole run. */
  public static int number(StoredRun run) {
    return part(run).number();
  }

  /**
   * Requires all parts of one run.
   *
   * @param parts in the order of their numbers
   */
  public static void requireWhole(List<StoredRun> parts) {
    List<Integer> numbers = parts.stream().map(MergedParts::number).toList();
    int count = part(parts.getFirst()).count();
    if (!numbers.equals(IntStream.rangeClosed(1, count).boxed().toList())) {
      throw CommandFailure.usage(
          "report merge needs each of the %d parts once, found %s".formatted(count, numbers));
    }
    Plan first = parts.getFirst().result().plan().together();
    for (StoredRun run : parts) {
      if (!run.result().plan().together().equals(first)) {
        throw CommandFailure.usage(
            ("part %d belongs to another run than part 1: give equal --start-at, servers, load"
                    + " and objectives to each")
                .formatted(number(run)));
      }
    }
  }

  /** Returns the whole run, with the {@code differences} between the rooms' orders. */
  public static StoredRun of(List<StoredRun> parts, Findings differences) {
    RunResult first = parts.getFirst().result();
    Findings findings = new Findings();
    parts.forEach(part -> findings.add(part.result().findings()));
    findings.add(differences);
    Instant origin =
        parts.stream()
            .map(part -> part.result().record().started())
            .min(Comparator.naturalOrder())
            .orElseThrow();
    RunResult result =
        new RunResult(
            first.plan().together(),
            record(parts, origin),
            findings,
            first.machine(),
            first.servers(),
            observations(parts, origin),
            tag(parts));
    return new StoredRun(result, MergedCourse.of(parts, origin));
  }

  private static Plan.Part part(StoredRun run) {
    Plan.Part part = run.result().plan().part();
    if (part == null) {
      throw CommandFailure.usage(
          "report merge needs parts of a run (--part): run \"%s\" is complete"
              .formatted(run.result().label()));
    }
    return part;
  }

  /** Returns the shift of a part's times, in nanoseconds. */
  static long later(StoredRun part, Instant origin) {
    return Duration.between(origin, part.result().record().started()).toNanos();
  }

  private static RunRecord record(List<StoredRun> parts, Instant origin) {
    Tally tally = new Tally();
    Traffic traffic = new Traffic();
    SeriesSet series = new SeriesSet();
    HalfSeconds halves = new HalfSeconds();
    long firstDue = Long.MAX_VALUE;
    long lastDelivery = 0;
    for (StoredRun part : parts) {
      RunRecord own = part.result().record();
      long later = later(part, origin);
      tally.add(own.tally());
      traffic.add(own.traffic());
      series.add(own.series());
      halves.add(own.halves(), later);
      firstDue =
          own.firstDueNanos() == 0 ? firstDue : Math.min(firstDue, own.firstDueNanos() + later);
      lastDelivery = Math.max(lastDelivery, own.lastDeliveryNanos() + later);
    }
    List<RunRecord> records = parts.stream().map(part -> part.result().record()).toList();
    return new RunRecord(
        origin,
        phases(parts, origin),
        tally,
        traffic,
        series,
        halves,
        all(records, RunRecord::rooms, Comparator.comparingInt(RoomFigures::room)),
        all(records, RunRecord::connections, Comparator.comparingInt(ConnectionFigures::room)),
        all(records, RunRecord::senders, Comparator.comparingInt(SenderFigures::room)),
        firstDue == Long.MAX_VALUE ? 0 : firstDue,
        lastDelivery,
        records.stream().anyMatch(RunRecord::interrupted),
        records.stream().anyMatch(RunRecord::gaveUp),
        ended(parts));
  }

  private static <T> List<T> all(
      List<RunRecord> records, Function<RunRecord, List<T>> of, Comparator<T> order) {
    return records.stream().flatMap(one -> of.apply(one).stream()).sorted(order).toList();
  }

  private static String ended(List<StoredRun> parts) {
    return parts.stream()
        .map(run -> "part " + number(run) + ": " + run.result().record().ended())
        .collect(Collectors.joining("; "));
  }

  /**
   * Merges the phases: starts come from the first part, the drain and later phases from the last
   * one.
   */
  private static PhaseTimes phases(List<StoredRun> parts, Instant origin) {
    PhaseTimes times = new PhaseTimes();
    for (Phase phase : Phase.values()) {
      PhaseTimes.Mark sum = null;
      for (StoredRun part : parts) {
        PhaseTimes.Mark mark = part.result().record().phases().of(phase);
        sum = mark == null ? sum : together(phase, sum, mark, later(part, origin));
      }
      if (sum != null) {
        times.begin(phase, sum);
      }
    }
    return times;
  }

  private static PhaseTimes.Mark together(
      Phase phase, PhaseTimes.@Nullable Mark sum, PhaseTimes.Mark mark, long later) {
    long nanos = mark.nanos() + later;
    if (sum == null) {
      return new PhaseTimes.Mark(nanos, mark.cpuNanos(), mark.machine());
    }
    boolean last = phase.compareTo(Phase.DRAIN) >= 0;
    return new PhaseTimes.Mark(
        last ? Math.max(sum.nanos(), nanos) : Math.min(sum.nanos(), nanos),
        sum.cpuNanos() + mark.cpuNanos(),
        sum.machine().plus(mark.machine()));
  }

  private static Observations observations(List<StoredRun> parts, Instant origin) {
    Samples own = new Samples();
    List<Scrape> scrapes = new ArrayList<>();
    List<String> complaints = new ArrayList<>();
    Map<String, Map<String, String>> settings = new LinkedHashMap<>();
    for (StoredRun part : parts) {
      Observations seen = part.result().observations();
      double later = later(part, origin) / 1e9;
      own.add(seen.own(), later);
      for (Scrape scrape : seen.scrapes()) {
        Samples moved = new Samples();
        moved.add(scrape.samples(), later);
        scrapes.add(new Scrape(scrape.source(), moved));
      }
      complaints.addAll(seen.complaints());
      settings.putAll(seen.serverSettings());
    }
    Observations broker =
        parts.stream()
            .map(part -> part.result().observations())
            .filter(seen -> seen.broker() != null)
            .findFirst()
            .orElse(Observations.none());
    return new Observations(broker.broker(), own, scrapes, broker.consumer(), complaints, settings);
  }

  private static RunResult.Tag tag(List<StoredRun> parts) {
    RunResult.Tag first = parts.getFirst().result().tag();
    Map<String, String> notes = new LinkedHashMap<>(first.notes());
    parts.forEach(run -> notes.put("part " + number(run), run.result().machine().line()));
    return new RunResult.Tag(
        first.label(), first.version(), notes, first.arguments(), first.options(), first.apdex());
  }
}
