package dev.chatflow.client.result;

import static dev.chatflow.client.result.Figure.Display.COMPARE;
import static dev.chatflow.client.result.Figure.Display.HEADLINE;
import static dev.chatflow.client.result.Figure.Display.IF_ANY;
import static dev.chatflow.client.result.Figure.Display.INDEX;
import static dev.chatflow.client.result.Figure.Display.STEP;
import static dev.chatflow.client.result.Figure.Display.SWEEP;
import static dev.chatflow.client.result.Figure.Display.TRUST;
import static dev.chatflow.client.result.Unit.BYTES;
import static dev.chatflow.client.result.Unit.COST;
import static dev.chatflow.client.result.Unit.COUNT;
import static dev.chatflow.client.result.Unit.LATENCY;
import static dev.chatflow.client.result.Unit.PER_SECOND;
import static dev.chatflow.client.result.Unit.RATIO;
import static dev.chatflow.client.result.Unit.SCORE;
import static dev.chatflow.client.result.Unit.SECONDS;
import static dev.chatflow.client.result.Unit.SHARE;
import static dev.chatflow.client.result.Unit.YES_NO;

import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.record.Tally;
import dev.chatflow.client.result.Figure.Display;
import dev.chatflow.client.verify.Defect;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * The registry of all named figures of a run, in display order. Text, JSON, CSV, page, sweep,
 * search, objectives, comparison and log use it. The JSON Schema describes the figures. The counts
 * of defects follow their classes. Stateless.
 */
public final class Figures {
  private static final List<Figure> RATES =
      List.of(
          figure("rates.totalSeconds", "total runtime", SECONDS, RunResult::totalSeconds)
              .in(HEADLINE),
          figure("rates.windowSeconds", "window", SECONDS, RunResult::windowSeconds)
              .in(HEADLINE, SWEEP, INDEX, COMPARE),
          figure("rates.acceptedPerSecond", "accepted", PER_SECOND, RunResult::acceptedPerSecond)
              .alias("accepted.rate")
              .in(HEADLINE, SWEEP, STEP, INDEX, COMPARE),
          figure(
                  "rates.deliveriesPerSecond",
                  "deliveries",
                  PER_SECOND,
                  RunResult::deliveriesPerSecond)
              .alias("deliveries.rate")
              .in(HEADLINE, SWEEP, STEP, INDEX, COMPARE),
          figure("rates.fanOut", "fan-out", RATIO, RunResult::textFanOut)
              .in(HEADLINE, SWEEP, COMPARE),
          figure("rates.meanInFlight", "mean in flight", RATIO, RunResult::meanInFlight));

  private static final List<Figure> LATENCIES =
      List.of(
          figure("delivery.p50", "delivery p50", LATENCY, run -> run.delivery(50))
              .in(HEADLINE, SWEEP, STEP),
          figure("delivery.p99", "delivery p99", LATENCY, run -> run.delivery(99))
              .in(HEADLINE, SWEEP, STEP, INDEX),
          figure(
                  "latencyMicros.echo.service.p50",
                  "echo p50 (service)",
                  LATENCY,
                  run -> run.service(Series.ECHO, 50))
              .in(COMPARE),
          figure(
                  "latencyMicros.echo.service.p99",
                  "echo p99 (service)",
                  LATENCY,
                  run -> run.service(Series.ECHO, 99))
              .in(COMPARE),
          figure(
                  "latencyMicros.delivery.service.p50",
                  "delivery p50 (service)",
                  LATENCY,
                  run -> run.service(Series.DELIVERY, 50))
              .in(COMPARE),
          figure(
                  "latencyMicros.delivery.service.p99",
                  "delivery p99 (service)",
                  LATENCY,
                  run -> run.service(Series.DELIVERY, 99))
              .in(COMPARE),
          figure(
                  "latencyMicros.delivery.service.max",
                  "delivery max (service)",
                  LATENCY,
                  run -> run.service(Series.DELIVERY, 100))
              .in(COMPARE),
          figure("apdex", "APDEX", SCORE, RunResult::apdex).in(HEADLINE));

  private static final List<Figure> MESSAGES =
      List.of(
          sum("counts.sent", "messages sent", Tally::written).in(HEADLINE),
          sum("counts.accepted", "messages accepted", Tally::echoed).in(HEADLINE),
          count("counts.failed", "failed messages", Count.TEXTS_UNSENT)
              .alias("failed")
              .in(HEADLINE, SWEEP),
          count("counts.rejected", "rejected messages", Count.REJECTED)
              .alias("rejected")
              .in(HEADLINE),
          count("counts.untried", "messages not attempted", Count.TEXTS_UNTRIED).in(IF_ANY),
          count("counts.retries", "retries", Count.RETRIES).alias("retries").in(HEADLINE),
          count("acceptedTexts", "TEXT accepted", Count.TEXTS_ECHOED).alias("accepted"),
          sum("attemptedTexts", "TEXT attempted", Figures::attempted).alias("attempted"),
          count("counts.texts", "TEXT sent", Count.TEXTS_WRITTEN).in(IF_ANY),
          count("counts.joins", "JOIN sent", Count.JOINS_WRITTEN).in(IF_ANY),
          count("counts.leaves", "LEAVE sent", Count.LEAVES_WRITTEN).in(IF_ANY),
          sum("counts.deliveries", "copies received", Tally::deliveries)
              .alias("delivered")
              .in(HEADLINE),
          count("counts.textDeliveries", "copies of TEXT", Count.TEXT_DELIVERIES),
          count("counts.otherParts", "copies from other parts", Count.OTHER_PARTS).in(IF_ANY),
          count("counts.joinDeliveries", "copies of JOIN", Count.JOIN_DELIVERIES),
          count("counts.leaveDeliveries", "copies of LEAVE", Count.LEAVE_DELIVERIES),
          count("counts.quietCopies", "copies suppressed in large rooms", Count.QUIET_COPIES)
              .in(IF_ANY));

  private static final List<Figure> SIGNALS =
      Stream.of(
              count("counts.signals", "SIGNAL sent", Count.SIGNALS_WRITTEN),
              count("counts.signalDeliveries", "copies of SIGNAL", Count.SIGNAL_DELIVERIES),
              sum("counts.signalsMissing", "copies of SIGNAL missing", Figures::signalsMissing))
          .map(figure -> figure.onlyIf(Figures::hasSignals).in(HEADLINE))
          .toList();

  private static final List<Figure> CONNECTIONS =
      List.of(
          count("counts.connectionsOpened", "connections opened", Count.CONNECTIONS_OPENED)
              .in(HEADLINE),
          count("counts.connectionsFailed", "connections failed", Count.CONNECTIONS_FAILED)
              .alias("connections.failed")
              .in(HEADLINE, SWEEP),
          count("counts.connectionsLost", "connections lost", Count.CONNECTIONS_LOST).in(HEADLINE),
          count("counts.lostAgain", "lost while reconnecting", Count.LOST_AGAIN).in(IF_ANY),
          count("counts.reconnections", "reconnections", Count.RECONNECTIONS)
              .alias("reconnections")
              .in(HEADLINE),
          count("counts.resumed", "resumed", Count.RESUMED).alias("resumed").in(IF_ANY),
          count("counts.notFound", "not resumed: frame not found", Count.NOT_FOUND).in(IF_ANY),
          count("counts.afterLoss", "not resumed: server reported a gap", Count.AFTER_LOSS)
              .in(IF_ANY),
          count("counts.noFrame", "not resumed: no frame yet", Count.NO_FRAME).in(IF_ANY),
          count("counts.moved", "moved to another server", Count.MOVED).in(IF_ANY),
          count("counts.caughtUp", "frames caught up", Count.CAUGHT_UP).in(IF_ANY),
          count("counts.historyFrames", "history frames", Count.HISTORY_FRAMES).in(IF_ANY),
          count("counts.unknown", "texts of unknown outcome", Count.UNKNOWN)
              .alias("unknown")
              .in(IF_ANY),
          sum("connectionsNotRecovered", "connections not recovered", Figures::notRestored)
              .alias("connections.lost"));

  private static final List<Figure> RARE =
      List.of(
          count("counts.dropped", "connections dropped on purpose", Count.DROPPED).in(IF_ANY),
          count("counts.renewed", "moved with a new token", Count.RENEWED)
              .alias("renewed")
              .in(IF_ANY),
          count("counts.expired", "closed: token expired", Count.EXPIRED).in(IF_ANY),
          count("counts.unauthorized", "closed: token rejected", Count.UNAUTHORIZED)
              .alias("unauthorized")
              .in(IF_ANY),
          count("counts.slowLost", "slow readers closed", Count.SLOW_LOST).in(IF_ANY),
          count("counts.resent", "messages sent again", Count.RESENT).in(IF_ANY),
          count("counts.syntheticLeaves", "LEAVEs created by servers", Count.SYNTHETIC_LEAVES)
              .in(IF_ANY),
          count("counts.foreignFrames", "foreign frames", Count.FOREIGN_FRAMES).in(IF_ANY),
          count("counts.unreadableFrames", "unreadable frames", Count.UNREADABLE_FRAMES)
              .in(IF_ANY));

  private static final List<Figure> CLIENT =
      List.of(
          yesNo("client.bottleneck", "client was the bottleneck", RunResult::isBottleneck)
              .in(TRUST),
          yesNo("client.starved", "machine was busy", RunResult::isStarved).in(TRUST),
          figure("client.busyShare", "load threads busy", SHARE, RunResult::busyShare).in(TRUST),
          figure("client.loopCpuShare", "load threads on a CPU", SHARE, RunResult::loopCpuShare)
              .in(TRUST),
          figure(
                  "client.loopQueuedShare",
                  "load threads waiting for a CPU",
                  SHARE,
                  RunResult::loopQueuedShare)
              .in(TRUST),
          figure("client.cpuSeconds", "CPU of the client", SECONDS, RunResult::cpuSeconds)
              .in(TRUST),
          figure(
                  "client.cpuMicrosPerDelivery",
                  "CPU per delivery",
                  COST,
                  RunResult::cpuMicrosPerDelivery)
              .in(TRUST, INDEX, COMPARE),
          figure("client.framesPerRead", "frames per read", RATIO, RunResult::framesPerRead)
              .in(TRUST),
          figure("sendsLate", "sends late, p99", LATENCY, RunResult::lateSends).in(TRUST),
          figure("timerLate", "worst timer delay", LATENCY, RunResult::worstHiccupMicros).in(TRUST),
          figure("collections", "garbage collections", LATENCY, RunResult::collectionMicros)
              .in(TRUST),
          figure("client.fullSockets", "send buffer full", COUNT, run -> run.traffic().fullSockets)
              .in(TRUST),
          figure(
              "client.machineBusySeconds",
              "CPU of the machine",
              SECONDS,
              run -> run.machineCpu().busyNanos() / 1e9),
          figure(
              "client.machineStolenSeconds",
              "CPU stolen",
              SECONDS,
              run -> run.machineCpu().stolenNanos() / 1e9),
          figure(
              "client.machineIdleSeconds",
              "CPU idle",
              SECONDS,
              run -> run.machineCpu().idleNanos() / 1e9),
          figure("client.bytesIn", "received", BYTES, run -> run.traffic().bytesIn),
          figure("client.bytesOut", "sent", BYTES, run -> run.traffic().bytesOut));

  private static final List<Figure> BROKER =
      List.of(
          figure("observed.broker.queuePeak", "queue peak", COUNT, run -> run.queueDepth("peak"))
              .alias("queue.peak")
              .in(SWEEP, INDEX),
          figure("observed.broker.queueMean", "queue mean", RATIO, run -> run.queueDepth("mean"))
              .alias("queue.mean")
              .in(SWEEP),
          figure("observed.broker.queueEnd", "queue at the end", COUNT, RunResult::queueLeft)
              .alias("queue.end"),
          figure(
              "observed.broker.publishPerSecond",
              "peak publish rate",
              PER_SECOND,
              run -> run.mostAtBroker("publishPerSecond")),
          figure(
              "observed.broker.deliverPerSecond",
              "peak delivery rate of the broker",
              PER_SECOND,
              run -> run.mostAtBroker("deliverPerSecond")),
          figure(
              "observed.broker.ackPerSecond",
              "peak acknowledgement rate",
              PER_SECOND,
              run -> run.mostAtBroker("ackPerSecond")),
          figure(
              "observed.broker.connectionsBlocked",
              "peak blocked connections",
              COUNT,
              run -> run.mostAtBroker("blocked")));

  private static final Set<Defect> INDEXED =
      Set.of(Defect.LOST, Defect.DUPLICATE, Defect.REORDERED);
  private static final List<Figure> ALL =
      Stream.of(
              Stream.of(RATES, LATENCIES, MESSAGES, SIGNALS, CONNECTIONS, RARE, CLIENT, BROKER)
                  .flatMap(List::stream),
              Arrays.stream(Defect.values()).map(Figures::of))
          .flatMap(figures -> figures)
          .toList();

  private Figures() {}

  public static List<Figure> all() {
    return ALL;
  }

  public static List<Figure> in(Display display) {
    return ALL.stream().filter(figure -> figure.displays().contains(display)).toList();
  }

  /** Returns the headline of a run: the fixed figures, then optional ones that are not 0. */
  public static List<Figure> headline(RunResult result) {
    Stream<Figure> more = in(Display.IF_ANY).stream().filter(figure -> figure.of(result) > 0);
    return Stream.concat(in(Display.HEADLINE).stream(), more).toList();
  }

  /** Returns the figures of one object of {@code summary.json}. */
  public static List<Figure> section(String section) {
    return ALL.stream().filter(figure -> figure.section().equals(section)).toList();
  }

  /** Finds a figure by its name or alias. */
  public static Optional<Figure> named(String name) {
    return ALL.stream()
        .filter(figure -> figure.name().equals(name) || figure.alias().equals(name))
        .findFirst();
  }

  private static Figure figure(
      String name, String label, Unit unit, ToDoubleFunction<RunResult> getter) {
    return new Figure(name, "", label, unit, Set.of(), getter);
  }

  private static Figure count(String name, String label, Count count) {
    return sum(name, label, tally -> tally.of(count));
  }

  private static Figure sum(String name, String label, ToLongFunction<Tally> counted) {
    return figure(name, label, COUNT, run -> counted.applyAsLong(run.record().tally()));
  }

  private static Figure yesNo(String name, String label, Predicate<RunResult> question) {
    return figure(name, label, YES_NO, run -> question.test(run) ? 1 : 0);
  }

  private static Figure of(Defect defect) {
    String label = defect.label();
    return figure("verdict.defects." + label, label, COUNT, run -> run.findings().count(defect))
        .alias(label.replace("-", ""))
        .in(INDEXED.contains(defect) ? new Display[] {INDEX} : new Display[0]);
  }

  private static long attempted(Tally tally) {
    return tally.of(Count.TEXTS_WRITTEN) + tally.of(Count.TEXTS_UNSENT);
  }

  private static boolean hasSignals(RunResult run) {
    return run.plan().workload().extras().hasSignals();
  }

  /** Returns the missing copies; inexact if members joined or left while signals were in flight. */
  private static long signalsMissing(Tally tally) {
    return Math.max(0, tally.of(Count.SIGNAL_COPIES_EXPECTED) - tally.of(Count.SIGNAL_DELIVERIES));
  }

  /** Returns the losses without a recovery, including those that the client caused. */
  private static long notRestored(Tally tally) {
    long own = tally.of(Count.DROPPED) + tally.of(Count.RENEWED);
    long losses = tally.of(Count.CONNECTIONS_LOST) - tally.of(Count.LOST_AGAIN) + own;
    return Math.max(0, losses - tally.of(Count.RECONNECTIONS));
  }
}
