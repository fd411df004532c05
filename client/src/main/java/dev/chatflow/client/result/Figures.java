package dev.chatflow.client.result;

import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.record.Tally;
import dev.chatflow.client.result.Figure.Better;
import dev.chatflow.client.result.Figure.Place;
import dev.chatflow.client.verify.Defect;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The registry of figures: every number of a run that has a name, once. Text, JSON and its schema,
 * CSV, page, sweep, search, objectives, comparison and log read it, in this order. A new figure is
 * a line in {@link #TABLE}, which names its {@link Count}; one that is computed has its getter in
 * {@link #COMPUTED}. The counts of defects follow their classes. Stateless.
 */
public final class Figures {
  /**
   * One figure a line, in the order of {@link Figure}, the {@link Count} before the meaning; with a
   * dot in its name it is in JSON.
   */
  private static final String TABLE =
      """
      rates.totalSeconds                 |                    | total runtime                    | SECONDS    |      | HEADLINE                          |                    | First connect to the last close.
      rates.windowSeconds                |                    | window                           | SECONDS    | LESS | HEADLINE SWEEP INDEX COMPARE      |                    | First due send to last required delivery.
      rates.acceptedPerSecond            | accepted.rate      | accepted                         | PER_SECOND | MORE | HEADLINE SWEEP STEP INDEX COMPARE |                    | Accepted messages.
      rates.deliveriesPerSecond          | deliveries.rate    | deliveries                       | PER_SECOND | MORE | HEADLINE SWEEP STEP INDEX COMPARE |                    | Copies received.
      rates.fanOut                       |                    | copies of a TEXT                 | RATIO      | MORE | HEADLINE SWEEP COMPARE            |                    | Copies of a TEXT.
      rates.meanInFlight                 |                    | mean in flight                   | RATIO      |      |                                   |                    | Messages without own echo, weighted by time.
      delivery.p50                       |                    | delivery p50                     | LATENCY    | LESS | HEADLINE SWEEP STEP               |                    |
      delivery.p99                       |                    | delivery p99                     | LATENCY    | LESS | HEADLINE SWEEP STEP INDEX         |                    |
      latencyMicros.echo.service.p50     |                    | echo p50, from the write         | LATENCY    | LESS | COMPARE                           |                    |
      latencyMicros.echo.service.p99     |                    | echo p99, from the write         | LATENCY    | LESS | COMPARE                           |                    |
      latencyMicros.delivery.service.p50 |                    | delivery p50, from the write     | LATENCY    | LESS | COMPARE                           |                    |
      latencyMicros.delivery.service.p99 |                    | delivery p99, from the write     | LATENCY    | LESS | COMPARE                           |                    |
      latencyMicros.delivery.service.max |                    | delivery max, from the write     | LATENCY    | LESS | COMPARE                           |                    |
      apdex                              |                    | APDEX                            | SCORE      | MORE | HEADLINE                          |                    |
      counts.sent                        |                    | messages sent                    | COUNT      |      | HEADLINE                          |                    | Messages written: texts, joins, leaves.
      counts.accepted                    |                    | messages accepted                | COUNT      |      | HEADLINE                          |                    | Of those, what came back to its sender or was answered 201.
      counts.failed                      | failed             | failed messages                  | COUNT      | LESS | HEADLINE SWEEP                    | TEXTS_UNSENT       | Texts that never could be written.
      counts.rejected                    | rejected           | refused messages                 | COUNT      | LESS | HEADLINE                          | REJECTED           | Error frames for messages of ours.
      counts.untried                     |                    | messages not tried               | COUNT      |      | IF_ANY                            | TEXTS_UNTRIED      | Texts that an interrupted run did not come to.
      counts.retries                     | retries            | retries                          | COUNT      | LESS | HEADLINE                          | RETRIES            | Further attempts to connect or to post.
      acceptedTexts                      | accepted           | TEXT accepted                    | COUNT      |      |                                   | TEXTS_ECHOED       |
      attemptedTexts                     | attempted          | TEXT attempted                   | COUNT      |      |                                   |                    |
      counts.texts                       |                    | TEXT sent                        | COUNT      |      | IF_ANY                            | TEXTS_WRITTEN      | TEXT written.
      counts.joins                       |                    | JOIN sent                        | COUNT      |      | IF_ANY                            | JOINS_WRITTEN      | JOIN written.
      counts.leaves                      |                    | LEAVE sent                       | COUNT      |      | IF_ANY                            | LEAVES_WRITTEN     | LEAVE written.
      counts.deliveries                  | delivered          | copies received                  | COUNT      |      | HEADLINE                          |                    | Copies received in all.
      counts.textDeliveries              |                    | copies of TEXT                   | COUNT      |      |                                   | TEXT_DELIVERIES    | Copies of TEXT.
      counts.otherParts                  |                    | copies from other parts          | COUNT      |      | IF_ANY                            | OTHER_PARTS        | Copies of TEXT that another part of the run wrote; they are not timed.
      counts.joinDeliveries              |                    | copies of JOIN                   | COUNT      |      |                                   | JOIN_DELIVERIES    | Copies of JOIN.
      counts.leaveDeliveries             |                    | copies of LEAVE                  | COUNT      |      |                                   | LEAVE_DELIVERIES   | Copies of LEAVE.
      counts.quietCopies                 |                    | copies quiet rooms leave out     | COUNT      |      | IF_ANY                            | QUIET_COPIES       | Copies of JOIN and LEAVE that large rooms do not make: they show these to their own connection alone.
      counts.connectionsOpened           |                    | connections opened               | COUNT      |      | HEADLINE                          | CONNECTIONS_OPENED | Upgrades accepted.
      counts.connectionsFailed           | connections.failed | connections failed               | COUNT      | LESS | HEADLINE SWEEP                    | CONNECTIONS_FAILED | Connections given up.
      counts.connectionsLost             |                    | connections lost                 | COUNT      | LESS | HEADLINE                          | CONNECTIONS_LOST   | Connections that ended unasked.
      counts.lostAgain                   |                    | lost on the way back             | COUNT      | LESS | IF_ANY                            | LOST_AGAIN         | Of the lost connections, those of users on their way back from another loss.
      counts.reconnections               | reconnections      | reconnections                    | COUNT      | LESS | HEADLINE                          | RECONNECTIONS      | Memberships regained after a loss, or with a new token.
      counts.resumed                     | resumed            | resumed                          | COUNT      | MORE | IF_ANY                            | RESUMED            | Of the reconnections, those shown all that was missed.
      counts.notFound                    |                    | not resumed: frame not found     | COUNT      | LESS | IF_ANY                            | NOT_FOUND          | Of the reconnections, those whose last frame was not shown again.
      counts.afterLoss                   |                    | not resumed: server lost track   | COUNT      | LESS | IF_ANY                            | AFTER_LOSS         | Of the reconnections, those after a close with 4010, which name no frame.
      counts.noFrame                     |                    | not resumed: no frame yet        | COUNT      | LESS | IF_ANY                            | NO_FRAME           | Of the reconnections, those that had no frame to name.
      counts.moved                       |                    | came back elsewhere              | COUNT      |      | IF_ANY                            | MOVED              | Of the reconnections, those to another server.
      counts.caughtUp                    |                    | frames caught up                 | COUNT      |      | IF_ANY                            | CAUGHT_UP          | Frames said while a member was away and shown when it resumed.
      counts.historyFrames               |                    | frames of history                | COUNT      |      | IF_ANY                            | HISTORY_FRAMES     | Frames from before a JOIN, asked for by --history.
      counts.unknown                     | unknown            | texts of unknown fate            | COUNT      | LESS | IF_ANY                            | UNKNOWN            | Texts pending when a member could not resume; not written again.
      connectionsNotMended               | connections.lost   | connections not mended           | COUNT      | LESS |                                   |                    |
      counts.dropped                     |                    | connections cut on purpose       | COUNT      |      | IF_ANY                            | DROPPED            | Connections cut by --churn.
      counts.renewed                     | renewed            | moved with a new token           | COUNT      |      | IF_ANY                            | RENEWED            | Connections left for one with a new token.
      counts.expired                     |                    | closed: token expired            | COUNT      |      | IF_ANY                            | EXPIRED            | Connections closed with 4002: the token had expired.
      counts.unauthorized                | unauthorized       | closed: token refused            | COUNT      | LESS | IF_ANY                            | UNAUTHORIZED       | Connections closed with 4001: the token was missing, wrong or not for the room.
      counts.slowLost                    |                    | slow readers closed              | COUNT      |      | IF_ANY                            | SLOW_LOST          | Connections lost by readers slow on purpose.
      counts.resent                      |                    | messages sent again              | COUNT      | LESS | IF_ANY                            | RESENT             | Texts written again under the same id.
      counts.syntheticLeaves             |                    | LEAVEs made by servers           | COUNT      |      | IF_ANY                            | SYNTHETIC_LEAVES   | LEAVE frames made by a server.
      counts.foreignFrames               |                    | foreign frames                   | COUNT      |      | IF_ANY                            | FOREIGN_FRAMES     | Frames of other runs or people.
      counts.unreadableFrames            |                    | unreadable frames                | COUNT      | LESS | IF_ANY                            | UNREADABLE_FRAMES  | Frames of no known form.
      client.bottleneck                  |                    | the client was the limit         | YES_NO     | LESS | TRUST                             |                    | The client limited the run: its figures are about itself.
      client.starved                     |                    | others had the CPU               | YES_NO     | LESS | TRUST                             |                    | Others took the processors from the client.
      client.busyShare                   |                    | load threads busy                | SHARE      |      | TRUST                             |                    | Part of the time the load threads did not wait for sockets.
      client.loopCpuShare                |                    | load threads on a CPU            | SHARE      |      | TRUST                             |                    | Part of the time they ran on a processor.
      client.loopQueuedShare             |                    | load threads waiting for a CPU   | SHARE      | LESS | TRUST                             |                    | Part of the time they waited for a processor.
      client.cpuSeconds                  |                    | CPU of the client                | SECONDS    |      | TRUST                             |                    | CPU of the process in the window.
      client.cpuMicrosPerDelivery        |                    | CPU per delivery                 | COST       | LESS | TRUST INDEX COMPARE               |                    | The same for each copy.
      client.framesPerRead               |                    | frames per read                  | RATIO      |      | TRUST                             |                    | Frames for each socket read.
      sendsLate                          |                    | sends late, p99                  | LATENCY    | LESS | TRUST                             |                    |
      timerLate                          |                    | timer of 1 ms late, at worst     | LATENCY    | LESS | TRUST                             |                    |
      collections                        |                    | garbage collections              | LATENCY    | LESS | TRUST                             |                    |
      client.fullSockets                 |                    | full sockets                     | COUNT      |      | TRUST                             |                    | Writes that a socket did not take whole.
      client.machineBusySeconds          |                    | CPU of the machine               | SECONDS    |      |                                   |                    | Processor seconds of the whole machine.
      client.machineStolenSeconds        |                    | CPU stolen                       | SECONDS    | LESS |                                   |                    | Taken by the hypervisor.
      client.machineIdleSeconds          |                    | CPU idle                         | SECONDS    |      |                                   |                    | Unused.
      client.bytesIn                     |                    | received                         | BYTES      |      |                                   |                    | Payload and frames received.
      client.bytesOut                    |                    | sent                             | BYTES      |      |                                   |                    | Sent.
      observed.broker.queuePeak          | queue.peak         | queue peak                       | COUNT      | LESS | SWEEP INDEX                       |                    | Ready messages of the queues but streams, most.
      observed.broker.queueMean          | queue.mean         | queue mean                       | RATIO      | LESS | SWEEP                             |                    | On average.
      observed.broker.queueEnd           | queue.end          | queue after the run              | COUNT      | LESS |                                   |                    | After the run; absent when it could not be asked.
      observed.broker.publishPerSecond   |                    | publishes at most                | PER_SECOND |      |                                   |                    | Most.
      observed.broker.deliverPerSecond   |                    | deliveries of the broker at most | PER_SECOND |      |                                   |                    | Most.
      observed.broker.ackPerSecond       |                    | acknowledgements at most         | PER_SECOND |      |                                   |                    | Most.
      observed.broker.connectionsBlocked |                    | connections blocked at most      | COUNT      | LESS |                                   |                    | Most.
      """;

  /** Figures that are no count of the tally, by name. */
  private static final Map<String, ToDoubleFunction<RunResult>> COMPUTED =
      Map.ofEntries(
          Map.entry("rates.totalSeconds", RunResult::totalSeconds),
          Map.entry("rates.windowSeconds", RunResult::windowSeconds),
          Map.entry("rates.acceptedPerSecond", RunResult::acceptedPerSecond),
          Map.entry("rates.deliveriesPerSecond", RunResult::deliveriesPerSecond),
          Map.entry("rates.fanOut", RunResult::textFanOut),
          Map.entry("rates.meanInFlight", RunResult::meanInFlight),
          Map.entry("delivery.p50", run -> run.delivery(50)),
          Map.entry("delivery.p99", run -> run.delivery(99)),
          Map.entry("latencyMicros.echo.service.p50", run -> run.service(Series.ECHO, 50)),
          Map.entry("latencyMicros.echo.service.p99", run -> run.service(Series.ECHO, 99)),
          Map.entry("latencyMicros.delivery.service.p50", run -> run.service(Series.DELIVERY, 50)),
          Map.entry("latencyMicros.delivery.service.p99", run -> run.service(Series.DELIVERY, 99)),
          Map.entry("latencyMicros.delivery.service.max", run -> run.service(Series.DELIVERY, 100)),
          Map.entry("apdex", RunResult::apdex),
          Map.entry("counts.sent", sum(Tally::written)),
          Map.entry("counts.accepted", sum(Tally::echoed)),
          Map.entry("attemptedTexts", sum(Figures::attempted)),
          Map.entry("counts.deliveries", sum(Tally::deliveries)),
          Map.entry("connectionsNotMended", sum(Figures::notMended)),
          Map.entry("client.bottleneck", is(RunResult::isBottleneck)),
          Map.entry("client.starved", is(RunResult::isStarved)),
          Map.entry("client.busyShare", RunResult::busyShare),
          Map.entry("client.loopCpuShare", RunResult::loopCpuShare),
          Map.entry("client.loopQueuedShare", RunResult::loopQueuedShare),
          Map.entry("client.cpuSeconds", RunResult::cpuSeconds),
          Map.entry("client.cpuMicrosPerDelivery", RunResult::cpuMicrosPerDelivery),
          Map.entry("client.framesPerRead", RunResult::framesPerRead),
          Map.entry("sendsLate", RunResult::lateSends),
          Map.entry("timerLate", RunResult::worstHiccupMicros),
          Map.entry("collections", RunResult::collectionMicros),
          Map.entry("client.fullSockets", run -> run.traffic().fullSockets),
          Map.entry("client.machineBusySeconds", run -> run.machineCpu().busyNanos() / 1e9),
          Map.entry("client.machineStolenSeconds", run -> run.machineCpu().stolenNanos() / 1e9),
          Map.entry("client.machineIdleSeconds", run -> run.machineCpu().idleNanos() / 1e9),
          Map.entry("client.bytesIn", run -> run.traffic().bytesIn),
          Map.entry("client.bytesOut", run -> run.traffic().bytesOut),
          Map.entry("observed.broker.queuePeak", run -> run.queueDepth("peak")),
          Map.entry("observed.broker.queueMean", run -> run.queueDepth("mean")),
          Map.entry("observed.broker.queueEnd", RunResult::queueLeft),
          Map.entry(
              "observed.broker.publishPerSecond", run -> run.mostAtBroker("publishPerSecond")),
          Map.entry(
              "observed.broker.deliverPerSecond", run -> run.mostAtBroker("deliverPerSecond")),
          Map.entry("observed.broker.ackPerSecond", run -> run.mostAtBroker("ackPerSecond")),
          Map.entry("observed.broker.connectionsBlocked", run -> run.mostAtBroker("blocked")));

  private static final Set<Defect> INDEXED =
      EnumSet.of(Defect.LOST, Defect.DUPLICATE, Defect.REORDERED);
  private static final List<Figure> ALL = all(TABLE.lines().map(Figures::row));

  private Figures() {}

  public static List<Figure> all() {
    return ALL;
  }

  public static List<Figure> in(Place place) {
    return ALL.stream().filter(figure -> figure.places().contains(place)).toList();
  }

  /** The headline of a run: those that every run has, then those of the others that are not 0. */
  public static List<Figure> headline(RunResult result) {
    Stream<Figure> more = in(Place.IF_ANY).stream().filter(figure -> figure.of(result) > 0);
    return Stream.concat(in(Place.HEADLINE).stream(), more).toList();
  }

  /** The figures of one object of {@code summary.json}. */
  public static List<Figure> section(String section) {
    return ALL.stream().filter(figure -> figure.section().equals(section)).toList();
  }

  /** By its name or its alias. */
  public static Optional<Figure> named(String name) {
    return ALL.stream()
        .filter(figure -> figure.name().equals(name) || figure.alias().equals(name))
        .findFirst();
  }

  private static Figure row(String line) {
    List<String> cells = Arrays.stream(line.split("\\|", -1)).map(String::strip).toList();
    return new Figure(
        cells.get(0),
        cells.get(1),
        cells.get(2),
        Unit.valueOf(cells.get(3)),
        cells.get(4).isEmpty() ? Better.NEITHER : Better.valueOf(cells.get(4)),
        places(cells.get(5)),
        cells.get(7),
        getter(cells.get(0), cells.get(6)));
  }

  private static ToDoubleFunction<RunResult> getter(String name, String count) {
    ToDoubleFunction<RunResult> computed = COMPUTED.get(name);
    if ((computed == null) == count.isEmpty()) {
      throw new IllegalStateException(name + " needs a count in its row or a getter, not both");
    }
    return computed == null ? of(Count.valueOf(count)) : computed;
  }

  /** All figures; a getter that belongs to none would be a figure that is missing. */
  private static List<Figure> all(Stream<Figure> rows) {
    List<Figure> figures =
        Stream.concat(rows, Arrays.stream(Defect.values()).map(Figures::of)).toList();
    Set<String> left = new HashSet<>(COMPUTED.keySet());
    figures.forEach(figure -> left.remove(figure.name()));
    if (!left.isEmpty()) {
      throw new IllegalStateException("no row of " + left);
    }
    return figures;
  }

  private static Set<Place> places(String names) {
    return Arrays.stream(names.split(" ", -1))
        .filter(name -> !name.isEmpty())
        .map(Place::valueOf)
        .collect(Collectors.toUnmodifiableSet());
  }

  private static Figure of(Defect defect) {
    String label = defect.label();
    return new Figure(
        "verdict.defects." + label,
        label.replace("-", ""),
        label,
        Unit.COUNT,
        Better.LESS,
        INDEXED.contains(defect) ? Set.of(Place.INDEX) : Set.of(),
        "",
        run -> run.findings().count(defect));
  }

  private static ToDoubleFunction<RunResult> of(Count count) {
    return run -> run.record().tally().of(count);
  }

  private static ToDoubleFunction<RunResult> sum(ToLongFunction<Tally> counted) {
    return run -> counted.applyAsLong(run.record().tally());
  }

  private static ToDoubleFunction<RunResult> is(Predicate<RunResult> question) {
    return run -> question.test(run) ? 1 : 0;
  }

  private static long attempted(Tally tally) {
    return tally.of(Count.TEXTS_WRITTEN) + tally.of(Count.TEXTS_UNSENT);
  }

  /** Losses after which the user did not come back; those the client made itself count too. */
  private static long notMended(Tally tally) {
    long own = tally.of(Count.DROPPED) + tally.of(Count.RENEWED);
    long losses = tally.of(Count.CONNECTIONS_LOST) - tally.of(Count.LOST_AGAIN) + own;
    return Math.max(0, losses - tally.of(Count.RECONNECTIONS));
  }
}
