package dev.chatflow.lab.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/**
 * A load that costs little, steered by lines on standard input, one answer a line:
 *
 * <pre>
 * open URL CONNECTIONS ROOMS SENDERS WINDOW BYTES   connects, joins, waits until all saw all joins
 * go                                                starts the closed loop
 * count                                             totals, and round trips since the last count
 * stop                                              ends the loop, checks every count, disconnects
 * </pre>
 *
 * One caller's thread; the connections belong to one thread for each core.
 */
final class Crowd {
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  /** More than a thread takes to read all of its members once. */
  private static final long QUIET_NANOS = 1_000_000_000L;

  private final CrowdPlan plan;
  private final Recorder roundTrips = new Recorder(3);
  private final List<CrowdThread> threads = new ArrayList<>();
  private long joins;

  Crowd(CrowdPlan plan) {
    this.plan = plan;
    int count = Math.min(Runtime.getRuntime().availableProcessors(), plan.connections());
    for (int i = 0; i < count; i++) {
      threads.add(new CrowdThread(plan, i, count, roundTrips));
    }
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    PrintStream out = System.out;
    @Nullable Crowd crowd = null;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      List<String> words = List.of(line.split(" ", -1));
      if (words.getFirst().equals("open")) {
        crowd = new Crowd(CrowdPlan.parse(words.subList(1, words.size())));
      }
      out.println(crowd == null ? "{\"error\":\"open first\"}" : crowd.answer(words.getFirst()));
      out.flush();
    }
    if (crowd != null) {
      crowd.end();
    }
  }

  String answer(String command) throws InterruptedException {
    return switch (command) {
      case "open" -> open();
      case "go" -> go();
      case "count" -> count();
      case "stop" -> stop();
      default -> "{\"error\":\"no such command\"}";
    };
  }

  private String open() throws InterruptedException {
    threads.forEach(CrowdThread::begin);
    joins = plan.joinDeliveries();
    boolean all = await(() -> sum(CrowdThread::deliveries) >= joins);
    return "{\"open\":%b,\"deliveries\":%d}".formatted(all, sum(CrowdThread::deliveries));
  }

  private String go() {
    threads.forEach(CrowdThread::go);
    return "{\"going\":true}";
  }

  private String count() {
    Histogram interval = roundTrips.getIntervalHistogram();
    return String.format(
        Locale.ROOT,
        "{\"nanos\":%d,\"deliveries\":%d,\"echoes\":%d,\"reads\":%d,\"p50\":%.3f,\"p99\":%.3f,\"failed\":%b}",
        System.nanoTime(),
        sum(CrowdThread::deliveries),
        sum(CrowdThread::echoed),
        sum(CrowdThread::reads),
        interval.getValueAtPercentile(50) / 1e6,
        interval.getValueAtPercentile(99) / 1e6,
        hasFailed());
  }

  private String stop() throws InterruptedException {
    threads.forEach(CrowdThread::stopSending);
    boolean whole =
        await(() -> threads.stream().allMatch(CrowdThread::hasStopped))
            && await(() -> sum(CrowdThread::echoed) >= sum(CrowdThread::sent));
    awaitSilence();
    end();
    return "{\"exact\":%b,\"sent\":%d,\"deliveries\":%d,\"failure\":\"%s\"}"
        .formatted(
            whole && isExact(),
            sum(CrowdThread::sent),
            sum(CrowdThread::deliveries),
            failure().replace('"', '\''));
  }

  /** Others may still get what the senders have seen: waits until nothing came for a while. */
  private void awaitSilence() throws InterruptedException {
    long before;
    do {
      before = sum(CrowdThread::deliveries);
      long quiet = System.nanoTime() + QUIET_NANOS;
      await(() -> System.nanoTime() > quiet);
    } while (sum(CrowdThread::deliveries) != before && !hasFailed());
  }

  /** Whether every member got every message of its room, and all joins from its own on. */
  private boolean isExact() {
    long[] sent = new long[plan.rooms()];
    long[] received = new long[plan.rooms()];
    for (CrowdThread thread : threads) {
      for (CrowdMember member : thread.members()) {
        sent[member.room()] += member.sent();
        received[member.room()] += member.received();
      }
    }
    for (CrowdThread thread : threads) {
      for (CrowdMember member : thread.members()) {
        long joinsSeen = member.received() - sent[member.room()];
        if (joinsSeen < 1 || joinsSeen > plan.membersOf(member.room())) {
          return false;
        }
      }
    }
    long all = 0;
    for (int room = 0; room < plan.rooms(); room++) {
      all += received[room] - sent[room] * plan.membersOf(room);
    }
    return all == joins && !hasFailed();
  }

  private String failure() {
    return threads.stream()
        .flatMap(thread -> thread.members().stream())
        .map(CrowdMember::failure)
        .filter(text -> !text.isEmpty())
        .findFirst()
        .orElse("");
  }

  private boolean hasFailed() {
    return threads.stream().anyMatch(CrowdThread::hasFailed);
  }

  private long sum(ToLongFunction<CrowdThread> figure) {
    return threads.stream().mapToLong(figure).sum();
  }

  private void end() throws InterruptedException {
    threads.forEach(CrowdThread::end);
    for (CrowdThread thread : threads) {
      thread.awaitEnd();
    }
    for (CrowdThread thread : threads) {
      thread.disconnect();
    }
  }

  private boolean await(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end || hasFailed()) {
        return condition.getAsBoolean();
      }
      TimeUnit.MILLISECONDS.sleep(2);
    }
    return true;
  }
}
