package dev.chatflow.client.result;

import dev.chatflow.client.observe.BrokerFigures;
import dev.chatflow.client.observe.Machine;
import dev.chatflow.client.observe.Observations;
import dev.chatflow.client.observe.ServerHealth;
import dev.chatflow.client.plan.ExpectedCounts;
import dev.chatflow.client.plan.Judging;
import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.record.Clock;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.MachineCpu;
import dev.chatflow.client.record.Phase;
import dev.chatflow.client.record.RunRecord;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.record.Traffic;
import dev.chatflow.client.verify.Defect;
import dev.chatflow.client.verify.Findings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.HdrHistogram.Histogram;

/**
 * A finished run with everything that reports need. Its mutable histograms and counts are not
 * changed any more, so any thread may read.
 */
public record RunResult(
    Plan plan,
    RunRecord record,
    Findings findings,
    Machine machine,
    List<ServerHealth> servers,
    Observations observations,
    Tag tag) {
  /**
   * The name of a run and the command that started it. Immutable.
   *
   * @param arguments the command line
   * @param options effective options, {@code name=value (origin)}
   * @param apdex target of the APDEX; zero without one
   */
  public record Tag(
      String label,
      String version,
      Map<String, String> notes,
      List<String> arguments,
      List<String> options,
      Duration apdex) {
    public Tag {
      notes = Collections.unmodifiableMap(new LinkedHashMap<>(notes));
      arguments = List.copyOf(arguments);
      options = List.copyOf(options);
    }
  }

  /** Minimum saturated intervals: fewer are start-up noise of a short run. */
  private static final int MIN_SATURATED = 3;

  public RunResult {
    servers = List.copyOf(servers);
  }

  public String label() {
    return tag.label();
  }

  public String version() {
    return tag.version();
  }

  public Verdict verdict() {
    return Verdict.of(this);
  }

  Set<Defect> allowedDefects() {
    return plan.judging().allowRetryDuplicates() ? Set.of(Defect.RETRY_DUPLICATE) : Set.of();
  }

  /** Returns the number of required copies: as planned, or from the ledger of an inexact run. */
  public double copiesExpected() {
    return isExact()
        ? expectedDeliveries()
        : record.tally().deliveries() + findings.count(Defect.LOST);
  }

  /** Returns the time in the garbage collector during the run. */
  double collectionMicros() {
    return Arrays.stream(observations.own().column("gcMillis"))
            .filter(value -> !Double.isNaN(value))
            .sum()
        * 1e3;
  }

  /**
   * Returns the share of satisfied users, in which waits up to four times the target count half;
   * {@code NaN} without a target or a message.
   */
  double apdex() {
    Histogram echo = record.series().of(Series.ECHO, mainClock());
    long target = tag.apdex().toNanos() / 1_000;
    if (target == 0 || echo.getTotalCount() == 0) {
      return Double.NaN;
    }
    double satisfied = echo.getCountBetweenValues(0, target);
    double tolerating = echo.getCountBetweenValues(0, target * 4) - satisfied;
    return (satisfied + tolerating / 2) / echo.getTotalCount();
  }

  /** Returns the maximum delay of a timer, in microseconds. */
  double worstHiccupMicros() {
    return observations.own().statistic("hiccupMillis", "max").orElse(Double.NaN) * 1e3;
  }

  public ExpectedCounts expected() {
    return plan.expected();
  }

  /** Returns the planned number of deliveries without those suppressed in large rooms. */
  public long expectedDeliveries() {
    return expected().deliveries() - record.tally().of(Count.QUIET_COPIES);
  }

  /** Returns whether the run must have exactly the planned number of deliveries. */
  boolean isExact() {
    return plan.exact() && !record.interrupted() && plan.judging().level() != Judging.Level.OFF;
  }

  /** Returns whether the clocks differ, as in the open model, which has due times. */
  public boolean hasTwoClocks() {
    return plan.pacing().model() == Pacing.Model.OPEN;
  }

  public Clock mainClock() {
    return hasTwoClocks() ? Clock.RESPONSE : Clock.SERVICE;
  }

  public double totalSeconds() {
    return record.phases().nanosBetween(Phase.CONNECT, Phase.DONE) / 1e9;
  }

  /** Returns the CPU seconds of this process from the first send to the end of the drain. */
  public double cpuSeconds() {
    return record.phases().cpuNanosBetween(Phase.MAIN, Phase.LEAVE) / 1e9;
  }

  public double cpuMicrosPerDelivery() {
    long texts =
        record.tally().of(Count.TEXT_DELIVERIES) - record.tally().of(Count.WARMUP_DELIVERIES);
    return texts == 0 ? 0 : cpuSeconds() * 1e6 / texts;
  }

  /**
   * Returns whether the client was the bottleneck of a schedule. Burst and closed senders are busy
   * by design, so there it is shown but not judged.
   */
  boolean isSaturated() {
    return hasTwoClocks() && isBottleneck();
  }

  /**
   * Returns whether the client was the bottleneck in more than 5 % of the intervals, and in at
   * least three.
   */
  boolean isBottleneck() {
    return isOften(record.tally().of(Count.SATURATED_INTERVALS));
  }

  /** Returns whether the machine was busy in as many intervals. */
  boolean isStarved() {
    return isOften(record.tally().of(Count.STARVED_INTERVALS));
  }

  /** Returns warnings about the figures, one sentence each; empty for most runs. */
  public List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    if (isStarved()) {
      warnings.add("CPU was saturated: latencies include scheduling delay");
    }
    if (plan.mostPresent() < plan.listeners()) {
      warnings.add(
          ("users shared a pool of %s connections, so a message had at most %d copies instead"
                  + " of %d: compare deliveries, not sends per second")
              .formatted(
                  Numbers.whole(plan.connections()),
                  plan.mostPresent(),
                  plan.workload().listeners()));
    }
    return warnings;
  }

  private boolean isOften(long intervals) {
    return intervals >= MIN_SATURATED && intervals * 20 > record.tally().of(Count.INTERVALS);
  }

  /** Returns the mean CPU share of a load loop. */
  double loopCpuShare() {
    return ofMain(record.tally().of(Count.LOOP_CPU_NANOS));
  }

  /** Returns the share of the main phase in which load loops waited for a CPU. */
  double loopQueuedShare() {
    return ofMain(record.tally().of(Count.LOOP_QUEUED_NANOS));
  }

  double windowSeconds() {
    return record.windowSeconds();
  }

  Traffic traffic() {
    return record.traffic();
  }

  /** Returns the CPU time of the machine from the first send to the end of the drain. */
  public MachineCpu machineCpu() {
    return record.phases().machineBetween(Phase.MAIN, Phase.LEAVE);
  }

  private double ofMain(long nanos) {
    return record.tally().of(Count.MAIN_NANOS) == 0
        ? 0
        : (double) nanos / record.tally().of(Count.MAIN_NANOS);
  }

  /** Returns the share of the main phase in which the load loops did not wait. */
  double busyShare() {
    return ofMain(record.tally().of(Count.BUSY_NANOS));
  }

  /** Returns the recorded accepted messages per second of the window. */
  public double acceptedPerSecond() {
    return perSecond(record.series().of(Series.ECHO, Clock.SERVICE).getTotalCount());
  }

  /**
   * Returns the recorded TEXT deliveries per second of the window, including those of other parts.
   */
  public double deliveriesPerSecond() {
    long timed = record.series().of(Series.DELIVERY, Clock.SERVICE).getTotalCount();
    return perSecond(timed + record.tally().of(Count.OTHER_PARTS));
  }

  private double perSecond(long count) {
    return record.windowNanos() == 0 ? 0 : count / record.windowSeconds();
  }

  /** Returns a percentile in microseconds; {@code NaN} without values. */
  private double percentile(Series series, Clock clock, double percentile) {
    Histogram histogram = record.series().of(series, clock);
    return histogram.getTotalCount() == 0 ? Double.NaN : histogram.getValueAtPercentile(percentile);
  }

  /** Returns a percentile of deliveries, on the clock of the load model. */
  public double delivery(double percentile) {
    return percentile(Series.DELIVERY, mainClock(), percentile);
  }

  /** Returns a percentile from the write, a clock that every run has. */
  double service(Series series, double percentile) {
    return percentile(series, Clock.SERVICE, percentile);
  }

  double lateSends() {
    return percentile(Series.LAG, mainClock(), 99);
  }

  public double textFanOut() {
    return record.tally().of(Count.TEXTS_ECHOED) == 0
        ? 0
        : (double) record.tally().of(Count.TEXT_DELIVERIES) / record.tally().of(Count.TEXTS_ECHOED);
  }

  public double meanInFlight() {
    return record.windowNanos() == 0 ? 0 : record.tally().inFlightNanos() / record.windowNanos();
  }

  /**
   * Returns a statistic of the broker's queue depth in the recorded window; {@code NaN} without
   * observation.
   */
  double queueDepth(String statistic) {
    BrokerFigures broker = observations.broker();
    return broker == null
        ? Double.NaN
        : broker
            .depth()
            .statistic(
                "ready", statistic, record.firstDueNanos() / 1e9, record.lastDeliveryNanos() / 1e9)
            .orElse(Double.NaN);
  }

  /** Returns the messages in the broker's queues after the run; {@code NaN} if unknown. */
  double queueLeft() {
    BrokerFigures broker = observations.broker();
    return broker == null || broker.left() < 0 ? Double.NaN : broker.left();
  }

  /** Returns the maximum of a column of the management API; {@code NaN} without observation. */
  double mostAtBroker(String column) {
    BrokerFigures broker = observations.broker();
    return broker == null ? Double.NaN : broker.rates().statistic(column, "max").orElse(Double.NaN);
  }

  public double framesPerRead() {
    return record.traffic().reads == 0
        ? 0
        : (double) record.traffic().framesIn / record.traffic().reads;
  }
}
