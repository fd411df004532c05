package dev.chatflow.client.fake;

import dev.chatflow.client.observe.BrokerFigures;
import dev.chatflow.client.observe.Observations;
import dev.chatflow.client.plan.Extras;
import dev.chatflow.client.plan.Judging;
import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.plan.Workload;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.RoomFigures;
import dev.chatflow.client.record.RunRecord;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.record.Tally;
import dev.chatflow.client.result.Intervals;
import dev.chatflow.client.result.Objectives;
import dev.chatflow.client.result.RunResult;
import dev.chatflow.client.result.StoredRun;
import dev.chatflow.client.verify.Defect;
import dev.chatflow.client.verify.Findings;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Modifies a stored run for a test. Each method returns this builder. */
public final class Changed {
  private final Intervals intervals;
  private RunResult result;

  private Changed(StoredRun run) {
    intervals = run.intervals();
    result = run.result();
  }

  /** Starts with one of the {@link StoredRuns}. */
  public static Changed run(String name) {
    return new Changed(StoredRuns.read(name));
  }

  /** Starts with {@link StoredRuns#observed}. */
  public static Changed observed() {
    return new Changed(StoredRuns.observed());
  }

  public Changed count(Count count, long more) {
    result.record().tally().add(count, more);
    return this;
  }

  /** Adds this number of defects, each in another copy of one message. */
  public Changed found(Defect defect, int times) {
    for (int receiver = 0; receiver < times; receiver++) {
      result.findings().add(new Findings.Example(defect, 1, 2, 7, receiver, 1_234_000_000L, -1));
    }
    return this;
  }

  public Changed objectives(String... all) {
    Judging judging = result.plan().judging();
    return judging(
        new Judging(
            judging.level(),
            judging.drain(),
            judging.allowRetryDuplicates(),
            Arrays.stream(all).map(Objectives::parse).toList()));
  }

  public Changed level(Judging.Level level) {
    Judging judging = result.plan().judging();
    return judging(
        new Judging(level, judging.drain(), judging.allowRetryDuplicates(), judging.objectives()));
  }

  public Changed allowRetryDuplicates() {
    Judging judging = result.plan().judging();
    return judging(new Judging(judging.level(), judging.drain(), true, judging.objectives()));
  }

  private Changed judging(Judging judging) {
    return plan(result.plan().workload(), result.plan().pacing(), judging);
  }

  public Changed pacing(Pacing pacing) {
    return plan(result.plan().workload(), pacing, result.plan().judging());
  }

  private Changed plan(Workload workload, Pacing pacing, Judging judging) {
    Plan plan = result.plan();
    Plan changed =
        new Plan(
            plan.target(),
            workload,
            pacing,
            plan.connecting(),
            judging,
            plan.disturbance(),
            plan.runId(),
            plan.seed());
    return with(changed, result.record(), result.observations(), result.tag());
  }

  /** Adds signals: 8 that were sent to 3 members each, of which 2 copies are missing. */
  public Changed signals() {
    Tally tally = result.record().tally();
    tally.add(Count.SIGNALS_WRITTEN, 8);
    tally.add(Count.SIGNAL_COPIES_EXPECTED, 24);
    for (int copy = 0; copy < 22; copy++) {
      tally.count(Count.SIGNAL_DELIVERIES);
      result.record().series().record(Series.SIGNAL, 1_000 + copy * 10);
    }
    Workload texts = result.plan().workload();
    Workload changed =
        new Workload(
            texts.rooms(),
            texts.roomSize(),
            texts.texts(),
            texts.messageBytes(),
            texts.warmup(),
            texts.duration(),
            texts.roles(),
            new Extras(10, 1, 0));
    return plan(changed, result.plan().pacing(), result.plan().judging());
  }

  public Changed interrupted() {
    return record(result.record().rooms(), true, false, "interrupted");
  }

  public Changed gaveUp(String ended) {
    return record(result.record().rooms(), false, true, ended);
  }

  public Changed rooms(List<RoomFigures> rooms) {
    RunRecord all = result.record();
    return record(rooms, all.interrupted(), all.gaveUp(), all.ended());
  }

  private Changed record(
      List<RoomFigures> rooms, boolean interrupted, boolean gaveUp, String ended) {
    RunRecord all = result.record();
    RunRecord changed =
        new RunRecord(
            all.started(),
            all.phases(),
            all.tally(),
            all.traffic(),
            all.series(),
            all.halves(),
            rooms,
            all.connections(),
            all.senders(),
            all.firstDueNanos(),
            all.lastDeliveryNanos(),
            interrupted,
            gaveUp,
            ended);
    return with(result.plan(), changed, result.observations(), result.tag());
  }

  public Changed observations(Observations seen) {
    return with(result.plan(), result.record(), seen, result.tag());
  }

  /** Sets the figures of the broker. */
  public Changed broker(BrokerFigures broker) {
    Observations seen = result.observations();
    return observations(
        new Observations(
            broker, seen.own(), seen.scrapes(), seen.consumer(), seen.complaints(), Map.of()));
  }

  /** Sets notes and options, but keeps the label and the version. */
  public Changed tag(
      Map<String, String> notes, List<String> arguments, List<String> options, Duration apdex) {
    RunResult.Tag tag =
        new RunResult.Tag(result.label(), result.version(), notes, arguments, options, apdex);
    return with(result.plan(), result.record(), result.observations(), tag);
  }

  private Changed with(Plan plan, RunRecord record, Observations seen, RunResult.Tag tag) {
    result =
        new RunResult(
            plan,
            record,
            result.findings(),
            result.machine(),
            List.copyOf(result.servers()),
            seen,
            tag);
    return this;
  }

  public RunResult result() {
    return result;
  }

  public StoredRun stored() {
    return new StoredRun(result, intervals);
  }
}
