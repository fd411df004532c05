package dev.chatflow.lab.driver;

import dev.chatflow.client.transport.Access;
import dev.chatflow.client.transport.Transport;
import dev.chatflow.client.transport.nio.NioTransport;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;

/**
 * One load with connections of its own: all enter, speak at a {@link Pace}, and are judged. One
 * thread does everything, so that whatever drives is the same for all servers.
 */
final class Drive implements AutoCloseable {
  private static final int CONNECTING_AT_ONCE = 128;
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long HELLO_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

  /** NATS puts all that waits for a connection into one frame. */
  private static final int LONGEST_FRAME_BYTES = 4 << 20;

  private final Plan plan;
  private final Wire wire;
  private final long patienceNanos;
  private final Transport transport = new NioTransport(1, Access.OPEN, LONGEST_FRAME_BYTES);
  private final List<Member> members = new ArrayList<>();
  private final ArrayDeque<Member> listed = new ArrayDeque<>();
  private final Histogram latencyMicros = new Histogram(3);

  private int connected;
  private int in;
  private long progressNanos = System.nanoTime();
  private long startNanos;
  private long endNanos;

  /** Between two messages of all members; 0 without a rate. */
  private double intervalNanos;

  private boolean isSending;
  private long dueInAll;
  private String failure = "";

  /**
   * @param patienceSeconds when nothing came for so long, nothing more will
   */
  Drive(Wire wire, Plan plan, int patienceSeconds) {
    this.wire = wire;
    this.plan = plan;
    patienceNanos = TimeUnit.SECONDS.toNanos(patienceSeconds);
  }

  /**
   * Connects all and waits until each is in its room and nothing more comes.
   *
   * @throws IOException when some do not get there
   */
  void open() throws IOException {
    long hello = System.nanoTime() + HELLO_NANOS;
    while (in < plan.all() && isHopeful()) {
      while (members.size() < plan.all() && members.size() - connected < CONNECTING_AT_ONCE) {
        members.add(new Member(this, wire, members.size()));
      }
      transport.poll(POLL_NANOS);
      if (System.nanoTime() > hello) {
        members.forEach(Member::hello);
        hello += HELLO_NANOS;
      }
    }
    if (in < plan.all()) {
      throw new IOException("%d of %d members came in; %s".formatted(in, plan.all(), failure));
    }
    quiet();
  }

  private boolean isHopeful() {
    return failure.isEmpty() && System.nanoTime() - progressNanos < patienceNanos;
  }

  private void quiet() throws IOException {
    long end = System.nanoTime() + QUIET_NANOS;
    while (System.nanoTime() < end) {
      transport.poll(POLL_NANOS);
    }
  }

  /** Lets all speak for so many seconds, then waits for what is under way. */
  Outcome load(Pace pace, int seconds) throws IOException {
    startNanos = System.nanoTime();
    progressNanos = startNanos;
    isSending = true;
    switch (pace) {
      case Pace.Rate rate -> intervalNanos = 1e9 / rate.perSecond();
      case Pace.Window window -> members.forEach(member -> member.owe(window.messages()));
    }
    endNanos = startNanos + TimeUnit.SECONDS.toNanos(seconds);
    turnWhile(() -> System.nanoTime() < endNanos);
    oweWhatIsDue();
    isSending = false;
    turnWhile(() -> !hasAll() && System.nanoTime() - progressNanos < patienceNanos);
    double took = (progressNanos - startNanos) / 1e9;
    quiet();
    return outcome(took);
  }

  private void turnWhile(BooleanSupplier condition) throws IOException {
    while (condition.getAsBoolean()) {
      long wait = isSending ? oweWhatIsDue() : POLL_NANOS;
      for (int i = listed.size(); i > 0; i--) {
        listed.remove().flush();
      }
      transport.poll(listed.isEmpty() ? wait : 0);
    }
  }

  /** Up to the end; how long nothing more is due, at most the usual wait. */
  private long oweWhatIsDue() {
    if (intervalNanos == 0) {
      return POLL_NANOS;
    }
    long since = Math.min(System.nanoTime(), endNanos) - startNanos;
    while (dueInAll * intervalNanos < since) {
      members.get((int) (dueInAll++ % members.size())).owe(1);
    }
    return Math.min(POLL_NANOS, (long) (dueInAll * intervalNanos) - since);
  }

  private boolean hasAll() {
    return members.stream().allMatch(Member::isDone) && taken() >= required();
  }

  private long taken() {
    return members.stream().mapToLong(member -> member.receipts().taken()).sum();
  }

  /** Each message once to each member of its room. */
  private long required() {
    return plan.members() * members.stream().mapToLong(Member::sent).sum();
  }

  private Outcome outcome(double seconds) {
    return new Outcome(
        seconds,
        members.stream().mapToLong(Member::sent).sum(),
        taken(),
        required() - taken(),
        members.stream().mapToLong(member -> member.receipts().misordered()).sum(),
        members.stream().mapToLong(member -> member.receipts().repeated()).sum(),
        latencyMicros.getValueAtPercentile(50) / 1e3,
        latencyMicros.getValueAtPercentile(99) / 1e3,
        failure);
  }

  @Override
  public void close() {
    members.forEach(Member::abort);
    transport.close();
  }

  // --- for members

  Plan plan() {
    return plan;
  }

  Transport transport() {
    return transport;
  }

  void opened() {
    connected++;
    progressNanos = System.nanoTime();
  }

  void entered() {
    in++;
    progressNanos = System.nanoTime();
  }

  void failed(String reason) {
    if (failure.isEmpty()) {
      failure = reason;
    }
  }

  /** Flushes this member in the next turn. */
  void later(Member member) {
    listed.add(member);
  }

  /** When a member's message with this number is due: now, when there is no rate. */
  long dueNanos(int member, int number) {
    return intervalNanos == 0
        ? System.nanoTime()
        : startNanos + (long) (((long) number * members.size() + member) * intervalNanos);
  }

  void delivered(Member to, boolean isOwn, long dueNanos) {
    progressNanos = transport.readNanos();
    if (intervalNanos > 0) {
      latencyMicros.recordValue(Math.max(0, (progressNanos - dueNanos) / 1000));
    } else if (isOwn && isSending) {
      to.owe(1);
    }
  }
}
