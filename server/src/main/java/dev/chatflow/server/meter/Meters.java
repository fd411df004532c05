package dev.chatflow.server.meter;

import dev.chatflow.delivery.DeliveryMeter;
import dev.chatflow.room.CloseReason;
import dev.chatflow.server.edge.EdgeMeter;
import dev.chatflow.server.http.PostMeter;
import dev.chatflow.server.publish.Confirm;
import dev.chatflow.server.publish.PublishMeter;
import dev.chatflow.server.publish.Vitals;
import dev.chatflow.support.Answer;
import dev.chatflow.support.MeterBook;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmInfoMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.distribution.HistogramSnapshot;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The meters that are updated by events; {@link PartMeters} has those that read values from the
 * parts.
 *
 * <p>Counters are incremented by any thread, without a lock. Times are histograms with fixed
 * buckets, because percentiles of several servers cannot be added.
 */
public final class Meters
    implements DeliveryMeter, PublishMeter, EdgeMeter, PostMeter, AutoCloseable {

  /** Bucket bounds of all times, from a fraction of a round to a stall. */
  private static final Duration[] BUCKETS =
      DoubleStream.of(0.25, 0.5, 1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000)
          .mapToObj(millis -> Duration.ofNanos((long) (millis * 1e6)))
          .toArray(Duration[]::new);

  private static final double[] FLIGHT_BUCKETS = {1, 2, 5, 10, 20, 50, 100, 200, 500};

  /**
   * The codes of ChatFlow and the container; a client may send any code, which must not create a
   * series for each.
   */
  private static final Set<Integer> KNOWN_CODES =
      IntStream.concat(
              Arrays.stream(CloseReason.values()).mapToInt(CloseReason::code),
              IntStream.of(1002, 1005, 1006, 1007, 1011))
          .boxed()
          .collect(Collectors.toUnmodifiableSet());

  /** The stages of a message's path; their times add up to the user's latency. */
  private enum Stage {
    ACCEPT,
    LANE,
    CONFIRM,
    BROKER,
    APPEND,
    WRITE
  }

  private final MeterBook book;
  private final LongAdder accepted;
  private final LongAdder published;
  private final LongAdder consumed;
  private final LongAdder poison;
  private final LongAdder gaps;
  private final LongAdder snapshotRequested;
  private final LongAdder presenceDiffers;
  private final LongAdder lanesDied;
  private final LongAdder pagesUnreadable;
  private final LongAdder retries;
  private final LongAdder pauses;
  private final LongAdder incomplete;
  private final LongAdder writesTimedOut = new LongAdder();
  private final Map<Loss, LongAdder> peersLost = new EnumMap<>(Loss.class);
  private final AtomicInteger unacked = new AtomicInteger();
  private final Map<Passed, LongAdder> passed = new EnumMap<>(Passed.class);
  private final Map<Unshown, LongAdder> unshown = new EnumMap<>(Unshown.class);
  private final Map<String, LongAdder> refused = new ConcurrentHashMap<>();
  private final Timer lag;
  private final Timer attach;
  private final Timer endToEnd;
  private final Timer confirm;
  private final Timer poolWait;
  private final Map<Stage, Timer> stages = new EnumMap<>(Stage.class);
  private final DistributionSummary flightMessages;

  /** Creates the meters of one server; {@code serverId} is a label of each. */
  public Meters(String serverId) {
    book = new MeterBook(Tags.of("server.id", serverId));
    accepted = messages("in", "client");
    published = messages("out", "broker");
    consumed = messages("in", "broker");
    poison =
        book.count("chatflow.poison", "lines that could not be decoded, sent to the dead letters");
    incomplete =
        book.count(
            "chatflow.logs.cut",
            "shard logs that held less than the window, because their size limit was lowered");
    gaps =
        book.count(
            "chatflow.gaps",
            "times messages of a shard may have been missed; members were closed with 4010");
    snapshotRequested =
        book.count(
            "chatflow.presence.snapshots.requested", "requests to other servers for their members");
    presenceDiffers =
        book.count(
            "chatflow.presence.differences",
            "times another server's members differed from the known ones; it is asked again");
    lanesDied =
        book.count(
            "chatflow.lanes.died",
            "publish queues of other servers that fell silent; LEAVEs of their members follow");
    pagesUnreadable =
        book.count(
            "chatflow.presence.unreadable",
            "answers of other servers that could not be read, for example from a newer version");
    var _ = rejectedConnections("token"); // exists from the start, because an alert uses its rate
    retries = book.count("chatflow.flight.retries", "batches that were published again");
    pauses =
        book.count(
            "chatflow.process.pauses",
            "times this process was suspended for more than 15 s; all clients were closed with 1012");
    book.gauge(
        "chatflow.reader.unacked",
        "log entries that are not acknowledged yet",
        unacked,
        AtomicInteger::get);
    for (Passed why : Passed.values()) {
      Tags tags = Tags.of("why", lower(why));
      passed.put(
          why,
          book.count(
              "chatflow.entries.passed",
              "skipped entries: copy (delivered twice), late (its server was cut off), unknown (newer version)",
              tags));
    }
    for (Unshown why : Unshown.values()) {
      Tags tags = Tags.of("kind", lower(why));
      unshown.put(
          why,
          book.count(
              "chatflow.duplicates.dropped",
              "messages not shown: resend (same id), stale (of a replaced connection), muted (of a muted user)",
              tags));
    }
    for (Loss how : Loss.values()) {
      String meaning = "connections whose peer disappeared: no pong, write failed";
      Tags tags = Tags.of("cause", lower(how).replace('_', ' '));
      peersLost.put(how, book.count("chatflow.peers.lost", meaning, tags));
    }
    lag =
        book.timer(
            "chatflow.log.lag",
            "time from publish to hand-off of this server's entries, heartbeats included",
            BUCKETS);
    attach =
        book.timer(
            "chatflow.attach",
            "time to read back the end of a shard log before it is used",
            BUCKETS);
    endToEnd =
        book.timer(
            "chatflow.e2e",
            "time from the acceptance of a batch's oldest message to the room log",
            BUCKETS);
    confirm =
        book.timer(
            "chatflow.confirm", "time from the last publish of a batch to its confirm", BUCKETS);
    poolWait = book.timer("chatflow.pool.wait", "wait for a channel of the pool", BUCKETS);
    for (Stage stage : Stage.values()) {
      String meaning =
          "stages of a message: accept and write (sampled), lane, confirm, broker, append";
      Tags tags = Tags.of("stage", lower(stage));
      stages.put(stage, book.timer("chatflow.stage", meaning, tags, BUCKETS));
    }
    flightMessages =
        DistributionSummary.builder("chatflow.flight.messages")
            .description("chat messages per AMQP message")
            .serviceLevelObjectives(FLIGHT_BUCKETS)
            .register(book.registry());
    book.bindJvm(new ClassLoaderMetrics(), new JvmInfoMetrics(), new FileDescriptorMetrics());
  }

  private LongAdder messages(String direction, String peer) {
    Tags tags = Tags.of("direction", direction, "peer", peer);
    return book.count(
        "chatflow.messages", "chat messages: in from clients, out to and in from the broker", tags);
  }

  private static String lower(Enum<?> label) {
    return label.name().toLowerCase(Locale.ROOT);
  }

  private void record(Stage stage, Duration took) {
    Timer timer = stages.get(stage);
    if (timer != null) {
      timer.record(took);
    }
  }

  /** Returns the book for the meters that read values from the parts. */
  MeterBook book() {
    return book;
  }

  // --- edge

  @Override
  public void accepted() {
    accepted.increment();
  }

  @Override
  public void acceptTook(Duration frameToLane) {
    record(Stage.ACCEPT, frameToLane);
  }

  @Override
  public void writeTook(Duration write) {
    record(Stage.WRITE, write);
  }

  @Override
  public void writeTimedOut() {
    writesTimedOut.increment();
  }

  @Override
  public void peerLost(Loss how) {
    increment(peersLost.get(how));
  }

  @Override
  public void refused(String errorCode) {
    refused.computeIfAbsent(errorCode, this::refusedCounter).increment();
  }

  private LongAdder refusedCounter(String errorCode) {
    Tags tags = Tags.of("code", errorCode);
    return book.count("chatflow.refused", "messages answered with an error, by error code", tags);
  }

  @Override
  public void closed(int code) {
    Tags tags = Tags.of("code", KNOWN_CODES.contains(code) ? Integer.toString(code) : "other");
    book.counterOf("chatflow.connections.closed", "closed connections, by close code", tags)
        .increment();
  }

  @Override
  public void connectionRefused(String reason) {
    rejectedConnections(reason).increment();
  }

  private Counter rejectedConnections(String reason) {
    Tags tags = Tags.of("reason", reason);
    return book.counterOf(
        "chatflow.connections.refused",
        "refused connections: full, memory, address, starting, draining, paused, bad room, origin, token",
        tags);
  }

  // --- posts

  @Override
  public void answered(int status, Duration took) {
    Tags tags = Tags.of("status", Integer.toString(status));
    String meaning = "time from an HTTP publish to its answer, by status";
    book.timer("chatflow.http.posts", meaning, tags, BUCKETS).record(took);
  }

  @Override
  public void pastAnswered(int status) {
    Tags tags = Tags.of("status", Integer.toString(status));
    book.counterOf("chatflow.past.questions", "GET /api/rooms/ROOM/messages, by status", tags)
        .increment();
  }

  // --- publish

  @Override
  public void waited(Duration acceptedToPublish) {
    record(Stage.LANE, acceptedToPublish);
  }

  @Override
  public void confirmed(int lines, Duration confirmTime, int again) {
    retries.add(again);
    if (lines > 0) {
      published.add(lines);
      flightMessages.record(lines);
      confirm.record(confirmTime);
      record(Stage.CONFIRM, confirmTime);
    }
  }

  @Override
  public void failed(long number, Confirm outcome) {}

  @Override
  public void readBack(Duration publishToRead) {
    lag.record(publishToRead);
    record(Stage.BROKER, publishToRead);
  }

  @Override
  public void shown(Duration acceptedToShown) {
    endToEnd.record(acceptedToShown);
  }

  @Override
  public void poolWait(Duration wait) {
    poolWait.record(wait);
  }

  // --- logs

  @Override
  public void append(Duration handOffToAppend) {
    record(Stage.APPEND, handOffToAppend);
  }

  @Override
  public void consumed(int lines) {
    consumed.add(lines);
  }

  @Override
  public void passed(Passed why) {
    increment(passed.get(why));
  }

  @Override
  public void unshown(Unshown why) {
    increment(unshown.get(why));
  }

  @Override
  public void incomplete() {
    incomplete.increment();
  }

  @Override
  public void attached(long tookNanos, long entries) {
    attach.record(Duration.ofNanos(tookNanos));
  }

  private static void increment(@Nullable LongAdder adder) {
    if (adder != null) {
      adder.increment();
    }
  }

  @Override
  public void gap() {
    gaps.increment();
  }

  @Override
  public void snapshotRequested() {
    snapshotRequested.increment();
  }

  @Override
  public void presenceDiffers() {
    presenceDiffers.increment();
  }

  @Override
  public void laneDied() {
    lanesDied.increment();
  }

  @Override
  public void pageUnreadable() {
    pagesUnreadable.increment();
  }

  @Override
  public void poison() {
    poison.increment();
  }

  @Override
  public void unacked(int change) {
    unacked.addAndGet(change);
  }

  // --- the server itself

  /** Counts a pause of the process. */
  public void wasPaused() {
    pauses.increment();
  }

  // --- values for statistics

  public long messagesIn() {
    return accepted.sum();
  }

  public long messagesPublished() {
    return published.sum();
  }

  public long messagesConsumed() {
    return consumed.sum();
  }

  public long gaps() {
    return gaps.sum();
  }

  /** Returns the entries and messages that were dropped as repeated; not those of muted users. */
  public long duplicatesDropped() {
    Stream<LongAdder> repeated =
        unshown.entrySet().stream()
            .filter(each -> each.getKey() != Unshown.MUTED)
            .map(Map.Entry::getValue);
    return Stream.concat(passed.values().stream(), repeated).mapToLong(LongAdder::sum).sum();
  }

  /** Returns the members closed as slow by the container's timeout; the rooms count the others. */
  public long writesTimedOut() {
    return writesTimedOut.sum();
  }

  /** Returns the error responses so far, by error code. */
  public Map<String, Long> refusedByCode() {
    Map<String, Long> counts = new TreeMap<>();
    refused.forEach((code, adder) -> counts.put(code, adder.sum()));
    return counts;
  }

  /** Returns the upper bounds of the buckets used by {@link #hops}, in ms. */
  public static List<Double> bucketMillis() {
    return Stream.of(BUCKETS).map(bound -> bound.toNanos() / 1e6).toList();
  }

  /** Returns the stages of a message's path, in order. */
  public List<Vitals.Hop> hops() {
    return stages.entrySet().stream()
        .map(each -> hop(lower(each.getKey()), each.getValue().takeSnapshot()))
        .toList();
  }

  /** Returns the time from publish to hand-off of this server's entries. */
  public Vitals.Hop logLag() {
    return hop("log lag", lag.takeSnapshot());
  }

  private static Vitals.Hop hop(String name, HistogramSnapshot times) {
    List<Long> within =
        Stream.of(times.histogramCounts()).map(bucket -> (long) bucket.count()).toList();
    return new Vitals.Hop(name, times.count(), times.total(TimeUnit.SECONDS), within);
  }

  /** Returns the rejected connections by reason. */
  public Map<String, Long> rejectedConnections() {
    return book.by("chatflow.connections.refused", "reason");
  }

  /** Returns the members closed for falling behind, by reason. */
  public Map<String, Long> slowClosed() {
    return book.by("chatflow.slow.closed", "reason");
  }

  /** Returns the sum of all labels of a meter in {@code GET /metrics}. */
  public double sum(String name) {
    return book.sum(name);
  }

  /** Returns all meters as text, in the format of the Accept header. */
  public Answer scrape(@Nullable String accept) {
    return book.scrape(accept);
  }

  @Override
  public void close() {
    book.close();
  }
}
