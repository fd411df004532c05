package dev.chatflow.client.report;

import dev.chatflow.client.observe.Machine;
import dev.chatflow.client.observe.Observations;
import dev.chatflow.client.observe.ServerHealth;
import dev.chatflow.client.plan.ExpectedCounts;
import dev.chatflow.client.plan.Judging;
import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.record.Clock;
import dev.chatflow.client.record.MachineCpu;
import dev.chatflow.client.record.Phase;
import dev.chatflow.client.record.RunRecord;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.verify.Defect;
import dev.chatflow.client.verify.Findings;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import org.HdrHistogram.Histogram;

/** A finished run with all that a report speaks of. Immutable. */
public record RunResult(
    Plan plan,
    RunRecord record,
    Findings findings,
    Machine machine,
    List<ServerHealth> servers,
    Observations observations,
    Tag tag) {

  /** Fewer saturated intervals are start-up noise of a short run. */
  private static final int MIN_SATURATED = 3;

  public RunResult {
    servers = List.copyOf(servers);
  }

  public String label() {
    return tag.label();
  }

  String version() {
    return tag.version();
  }

  /** The same run with parts that were read from other files. */
  RunResult with(RunRecord otherRecord, Observations seen) {
    return new RunResult(plan, otherRecord, findings, machine, servers, seen, tag);
  }

  public Verdict verdict() {
    return Verdict.of(this);
  }

  Set<Defect> allowedDefects() {
    return plan.judging().allowRetryDuplicates() ? Set.of(Defect.RETRY_DUPLICATE) : Set.of();
  }

  /** Copies that had to come: planned ones, or what the ledger says of an inexact run. */
  double copiesExpected() {
    return isExact()
        ? expected().deliveries()
        : record.tally().deliveries() + findings.count(Defect.LOST);
  }

  /** Time in the garbage collector during the run, in milliseconds. */
  double collectionMillis() {
    return Arrays.stream(observations.own().column("gcMillis"))
        .filter(value -> !Double.isNaN(value))
        .sum();
  }

  /** Share of satisfied users, those who waited up to four times the target counting half. */
  OptionalDouble apdex() {
    Histogram echo = record.series().of(Series.ECHO, mainClock());
    long target = tag.apdex().toNanos() / 1_000;
    if (target == 0 || echo.getTotalCount() == 0) {
      return OptionalDouble.empty();
    }
    double satisfied = echo.getCountBetweenValues(0, target);
    double tolerating = echo.getCountBetweenValues(0, target * 4) - satisfied;
    return OptionalDouble.of((satisfied + tolerating / 2) / echo.getTotalCount());
  }

  ExpectedCounts expected() {
    return plan.expected();
  }

  /** Whether the run should have made exactly the planned number of deliveries. */
  boolean isExact() {
    return plan.exact() && !record.interrupted() && plan.judging().level() != Judging.Level.OFF;
  }

  /** Only the open model knows due times; elsewhere both clocks are one. */
  boolean hasTwoClocks() {
    return plan.pacing().model() == Pacing.Model.OPEN;
  }

  Clock mainClock() {
    return hasTwoClocks() ? Clock.RESPONSE : Clock.SERVICE;
  }

  double totalSeconds() {
    return record.phases().nanosBetween(Phase.CONNECT, Phase.DONE) / 1e9;
  }

  /** CPU seconds of this process from the first send to the end of the drain. */
  double cpuSeconds() {
    return record.phases().cpuNanosBetween(Phase.MAIN, Phase.LEAVE) / 1e9;
  }

  double cpuMicrosPerDelivery() {
    long texts = record.tally().textDeliveries - record.tally().warmupDeliveries;
    return texts == 0 ? 0 : cpuSeconds() * 1e6 / texts;
  }

  /**
   * Whether the figures are not to be trusted because the client was the limit. Only a schedule can
   * be missed: burst and closed senders are busy by design, so there it is shown and not judged.
   */
  boolean isSaturated() {
    return hasTwoClocks() && isBottleneck();
  }

  /** Whether the client was the limit in more than 5 % of the intervals, and in three at least. */
  boolean isBottleneck() {
    return isOften(record.tally().saturatedIntervals);
  }

  /** Whether as often the client was late because others had the CPU. */
  boolean isStarved() {
    return isOften(record.tally().starvedIntervals);
  }

  private boolean isOften(long intervals) {
    return intervals >= MIN_SATURATED && intervals * 20 > record.tally().intervals;
  }

  /** CPU of a load loop as a part of one core, mean over the loops. */
  double loopCpuShare() {
    return ofMain(record.tally().loopCpuNanos);
  }

  /** Part of the main phase in which a load loop could run and had no CPU. */
  double loopQueuedShare() {
    return ofMain(record.tally().loopQueuedNanos);
  }

  /** What the whole machine did from the first send to the end of the drain. */
  MachineCpu machineCpu() {
    return record.phases().machineBetween(Phase.MAIN, Phase.LEAVE);
  }

  private double ofMain(long nanos) {
    return record.tally().mainNanos == 0 ? 0 : (double) nanos / record.tally().mainNanos;
  }

  /** Part of the main phase in which the load loops did not wait. */
  double busyShare() {
    return ofMain(record.tally().busyNanos);
  }

  /** Recorded messages with own echo per second of the window. */
  double acceptedPerSecond() {
    return perSecond(record.series().of(Series.ECHO, Clock.SERVICE).getTotalCount());
  }

  /** Recorded deliveries of TEXT per second of the window. */
  double deliveriesPerSecond() {
    return perSecond(record.series().of(Series.DELIVERY, Clock.SERVICE).getTotalCount());
  }

  /** Length of main phase and drain, warm-up included. */
  double loadedSeconds() {
    return record.phases().nanosBetween(Phase.MAIN, Phase.LEAVE) / 1e9;
  }

  private double perSecond(long count) {
    return record.windowNanos() == 0 ? 0 : count / record.windowSeconds();
  }

  /** Delivery latency in microseconds on the clock that counts for this model. */
  double deliveryPercentile(double percentile) {
    return record.series().of(Series.DELIVERY, mainClock()).getValueAtPercentile(percentile);
  }

  double fanOut() {
    return record.tally().echoed() == 0
        ? 0
        : (double) record.tally().deliveries() / record.tally().echoed();
  }

  double textFanOut() {
    return record.tally().textsEchoed == 0
        ? 0
        : (double) record.tally().textDeliveries / record.tally().textsEchoed;
  }

  double meanInFlight() {
    return record.windowNanos() == 0 ? 0 : record.tally().inFlightNanos / record.windowNanos();
  }

  /** A statistic of the broker's queue depth in the recorded window. */
  OptionalDouble queueDepth(String statistic) {
    return observations.broker() == null
        ? OptionalDouble.empty()
        : observations
            .broker()
            .depth()
            .statistic(
                "ready", statistic, record.firstDueNanos() / 1e9, record.lastDeliveryNanos() / 1e9);
  }

  double framesPerRead() {
    return record.traffic().reads == 0
        ? 0
        : (double) record.traffic().framesIn / record.traffic().reads;
  }
}
