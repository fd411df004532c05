package dev.chatflow.lab.crowd;

import dev.chatflow.client.transport.Access;
import dev.chatflow.client.transport.Transport;
import dev.chatflow.client.transport.nio.NioTransport;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * The members of some rooms and their counts. One thread does everything, so that the crowd costs
 * the same for all servers; it must {@link #turn} continuously.
 */
final class Crowd implements AutoCloseable {
  private static final int CONNECTING_AT_ONCE = 128;
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long HELLO_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

  /** Time between two checks of all members. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** Maximum frame: NATS sends everything that waits for a connection in one frame. */
  private static final int LONGEST_FRAME_BYTES = 4 << 20;

  private record Due(long nanos, Member who) {}

  private final Plan plan;
  private final long patienceNanos;
  private final Transport transport = new NioTransport(1, Access.OPEN, LONGEST_FRAME_BYTES);
  private final List<Member> members = new ArrayList<>();
  private final List<Member> speakers;
  private final PriorityQueue<Due> due = new PriorityQueue<>(Comparator.comparingLong(Due::nanos));
  private final ArrayDeque<Member> listed = new ArrayDeque<>();
  private final Histogram latencyMicros = new Histogram(3);
  private final Histogram untilAllMicros = new Histogram(3);

  private Pace pace = new Pace(0, 1, 1);
  private boolean isSpeaking;
  private long dueInAll;
  private long startNanos = System.nanoTime();
  private long progressNanos = startNanos;
  private long helloNanos = startNanos + HELLO_NANOS;
  private long sentBefore;
  private long takenBefore;
  private double seconds;

  private int connecting;
  private int in;
  private long resumed;
  private long notResumed;
  private long caughtUp;
  private long others;
  private long refused;
  private String failure = "";

  /**
   * @param patienceSeconds time without events after which none is expected
   */
  Crowd(Plan plan, int patienceSeconds) {
    this.plan = plan;
    patienceNanos = TimeUnit.SECONDS.toNanos(patienceSeconds);
    List<Talk> talks = Stream.generate(() -> new Talk(plan)).limit(plan.rooms()).toList();
    for (int number = 0; number < plan.all(); number++) {
      members.add(new Member(this, plan, talks.get(plan.roomOf(number)), number));
    }
    speakers = members.subList(0, plan.rooms() * plan.speakers());
  }

  /** Connects all members and waits until they are in their rooms and nothing more arrives. */
  void open() throws IOException {
    begin();
    members.forEach(each -> later(each, plan.connectNanos(each.number())));
    turnUntil(() -> in == plan.all());
    took();
    quiet();
  }

  private void begin() {
    latencyMicros.reset();
    untilAllMicros.reset();
    startNanos = System.nanoTime();
    progressNanos = startNanos;
    sentBefore = sum(Member::sent);
    takenBefore = sum(Member::taken);
  }

  private void took() {
    seconds = (progressNanos - startNanos) / 1e9;
  }

  private void quiet() throws IOException {
    long end = System.nanoTime() + QUIET_NANOS;
    while (System.nanoTime() < end) {
      turn();
    }
  }

  /** Lets the speakers send, and waits until all members in their rooms have everything. */
  void speak(Pace newPace) throws IOException {
    begin();
    pace = newPace;
    dueInAll = 0;
    isSpeaking = true;
    speakers.forEach(each -> each.begin(newPace.window()));
    long end = startNanos + (long) (newPace.seconds() * 1e9);
    while (System.nanoTime() < end && failure.isEmpty()) {
      turn();
    }
    queueDueMessages();
    isSpeaking = false;
    turnUntil(() -> members.stream().allMatch(Member::isServed));
    took();
    quiet();
  }

  /** Waits until all members are in their rooms and have everything. */
  void awaitReturn() throws IOException {
    begin();
    turnUntil(() -> in == plan.all() && members.stream().allMatch(Member::isServed));
    took();
  }

  private void turnUntil(BooleanSupplier condition) throws IOException {
    long look = 0;
    while (failure.isEmpty() && System.nanoTime() - progressNanos < patienceNanos) {
      if (System.nanoTime() > look) {
        if (condition.getAsBoolean()) {
          return;
        }
        look = System.nanoTime() + LOOK_NANOS;
      }
      turn();
    }
  }

  /** Sends due messages and handles received ones. */
  void turn() throws IOException {
    long now = System.nanoTime();
    while (connecting < CONNECTING_AT_ONCE && !due.isEmpty() && due.element().nanos() <= now) {
      due.remove().who().act();
    }
    if (in < plan.all() && now > helloNanos) {
      members.forEach(Member::hello);
      helloNanos = now + HELLO_NANOS;
    }
    long wait = isSpeaking ? queueDueMessages() : POLL_NANOS;
    for (int i = listed.size(); i > 0; i--) {
      listed.remove().flush();
    }
    transport.poll(listed.isEmpty() ? wait : 0);
  }

  /** Queues due messages and returns the time until the next, at most the usual wait. */
  private long queueDueMessages() {
    long since = System.nanoTime() - startNanos;
    while (dueInAll < pace.messages() && pace.dueNanos(dueInAll) <= since) {
      speakers.get((int) (dueInAll++ % speakers.size())).owe(1);
    }
    return dueInAll < pace.messages()
        ? Math.min(POLL_NANOS, pace.dueNanos(dueInAll) - since)
        : POLL_NANOS;
  }

  private long sum(ToLongFunction<Member> figure) {
    return members.stream().mapToLong(figure).sum();
  }

  Tally tally() {
    long missing = sum(Member::missing);
    long misordered = sum(each -> each.receipts().misordered());
    long repeated = sum(each -> each.receipts().repeated());
    boolean isComplete = failure.isEmpty() && in == plan.all();
    return new Tally(
        in,
        plan.all(),
        seconds,
        sum(Member::sent) - sentBefore,
        sum(Member::taken) - takenBefore,
        missing,
        misordered,
        repeated,
        resumed,
        notResumed,
        caughtUp,
        others,
        refused,
        transport.traffic().bytesIn,
        latencyMicros.getValueAtPercentile(50) / 1e3,
        latencyMicros.getValueAtPercentile(99) / 1e3,
        untilAllMicros.getValueAtPercentile(50) / 1e3,
        untilAllMicros.getValueAtPercentile(99) / 1e3,
        isComplete && missing + misordered + repeated == 0,
        failure);
  }

  @Override
  public void close() {
    members.forEach(Member::abort);
    transport.close();
  }

  // --- for members

  Transport transport() {
    return transport;
  }

  /** Returns the due time of a speaker's message in the current pace. */
  long dueNanos(int speaker, long message) {
    return pace.rate() == 0
        ? System.nanoTime()
        : startNanos + pace.dueNanos(message * speakers.size() + speaker);
  }

  /** Schedules a flush of this member for the next turn. */
  void list(Member member) {
    listed.add(member);
  }

  void later(Member who, long nanos) {
    due.add(new Due(System.nanoTime() + nanos, who));
  }

  /** Records that a server postpones this member. */
  void postpone(Member who, long millis) {
    refused++;
    later(who, TimeUnit.MILLISECONDS.toNanos(millis));
  }

  void connecting() {
    connecting++;
  }

  void connected() {
    connecting--;
    progressNanos = System.nanoTime();
  }

  void entered() {
    in++;
    progressNanos = System.nanoTime();
  }

  void left() {
    in--;
  }

  void sawOther() {
    others++;
  }

  void resumed(boolean isNamedMessage) {
    resumed += isNamedMessage ? 1 : 0;
    notResumed += isNamedMessage ? 0 : 1;
  }

  /** Records a message at a member that is in its room, or that catches up before its JOIN. */
  void delivered(Member to, boolean isOwn, boolean isIn, long dueNanos) {
    progressNanos = transport.readNanos();
    caughtUp += isIn ? 0 : 1;
    if (pace.rate() > 0) {
      latencyMicros.recordValue(Math.max(0, (progressNanos - dueNanos) / 1000));
    } else if (isOwn && isSpeaking) {
      to.owe(1);
    }
  }

  void allHave(long dueNanos) {
    untilAllMicros.recordValue(Math.max(0, (transport.readNanos() - dueNanos) / 1000));
  }

  void failed(String reason) {
    if (failure.isEmpty()) {
      failure = reason;
    }
  }
}
