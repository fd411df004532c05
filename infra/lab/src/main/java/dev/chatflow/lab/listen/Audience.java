package dev.chatflow.lab.listen;

import dev.chatflow.client.transport.Transport;
import dev.chatflow.client.transport.nio.NioTransport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * Listeners and speakers of some rooms, and what is counted of them. One thread does everything: it
 * must {@link #turn} all the time, for servers ping.
 */
final class Audience implements AutoCloseable {
  private static final int CONNECTING_AT_ONCE = 128;
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  /** Between two looks at all listeners. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final Layout layout;
  private final long patienceNanos;
  private final Transport transport = new NioTransport(1);
  private final List<Listener> listeners = new ArrayList<>();
  private final List<Listener> speakers = new ArrayList<>();
  private final PriorityQueue<Due> due = new PriorityQueue<>(Comparator.comparingLong(Due::nanos));
  private final Histogram untilAllMicros = new Histogram(3);

  private int connecting;
  private long progressNanos = System.nanoTime();
  private long in;
  private long said;
  private long heard;
  private long missing;
  private long repeated;
  private long resumed;
  private long notResumed;
  private long caughtUp;
  private long others;
  private long refused;
  private String failure = "";

  private record Due(long nanos, Listener who) {}

  /**
   * @param patienceSeconds when nothing happens for so long, nothing more will
   */
  Audience(Layout layout, int patienceSeconds) {
    this.layout = layout;
    patienceNanos = TimeUnit.SECONDS.toNanos(patienceSeconds);
    List<Talk> talks =
        Stream.generate(() -> new Talk(layout.members() + 1)).limit(layout.rooms()).toList();
    for (int room = 0; room < layout.rooms(); room++) {
      Talk talk = talks.get(room);
      speakers.add(new Listener(this, talk, layout.speakersUri(room), Layout.SPEAKER));
    }
    for (int i = 0; i < layout.all(); i++) {
      int user = i / layout.rooms() + 1;
      listeners.add(new Listener(this, talks.get(i % layout.rooms()), layout.uri(i), user));
    }
  }

  /** Lets all enter, the speakers first. */
  void open() throws IOException {
    speakers.forEach(each -> later(each, 0));
    turnUntil(() -> in == speakers.size());
    for (int i = 0; i < listeners.size(); i++) {
      later(listeners.get(i), layout.beginNanos(i));
    }
    turnUntil(() -> in == all());
  }

  /**
   * Lets the speakers of all rooms say so many messages each, in turns, until all that are in have
   * them.
   */
  void say(double perSecond, int messages) throws IOException {
    untilAllMicros.reset();
    long start = System.nanoTime();
    progressNanos = start;
    long last = said + (long) messages * speakers.size();
    long first = said;
    while (said < last && isHopeful()) {
      sayWhatIsDue(start, first, last, perSecond);
      turn();
    }
    turnUntil(this::areServed);
  }

  private void sayWhatIsDue(long start, long first, long last, double perSecond) {
    boolean can = true;
    while (can && said < last) {
      long dueNanos = start + (long) ((said - first) / perSecond * 1e9);
      Listener speaker = speakers.get((int) (said % speakers.size()));
      can = dueNanos <= System.nanoTime() && speaker.say(dueNanos);
      said += can ? 1 : 0;
    }
  }

  /** Waits until all are in and have all. */
  void comeBack() throws IOException {
    progressNanos = System.nanoTime();
    turnUntil(() -> in == all() && areServed());
  }

  private boolean areServed() {
    return listeners.stream().allMatch(Listener::isServed)
        && speakers.stream().allMatch(Listener::isServed);
  }

  private void turnUntil(BooleanSupplier condition) throws IOException {
    long look = 0;
    while (isHopeful()) {
      if (System.nanoTime() > look) {
        if (condition.getAsBoolean()) {
          return;
        }
        look = System.nanoTime() + LOOK_NANOS;
      }
      turn();
    }
  }

  private boolean isHopeful() {
    return failure.isEmpty() && System.nanoTime() - progressNanos < patienceNanos;
  }

  /** Does what is due and handles what came. */
  void turn() throws IOException {
    long now = System.nanoTime();
    while (connecting < CONNECTING_AT_ONCE && !due.isEmpty() && due.element().nanos() <= now) {
      due.remove().who().act();
    }
    transport.poll(POLL_NANOS);
  }

  Tally tally() {
    boolean exact = failure.isEmpty() && missing + repeated == 0 && in == all() && areServed();
    return new Tally(
        in,
        said,
        heard,
        missing,
        repeated,
        resumed,
        notResumed,
        caughtUp,
        others,
        refused,
        untilAllMicros.getValueAtPercentile(50) / 1e3,
        untilAllMicros.getValueAtPercentile(99) / 1e3,
        exact,
        failure);
  }

  private int all() {
    return listeners.size() + speakers.size();
  }

  @Override
  public void close() {
    Stream.concat(listeners.stream(), speakers.stream()).forEach(Listener::abort);
    transport.close();
  }

  // --- for listeners

  Transport transport() {
    return transport;
  }

  void later(Listener who, long nanos) {
    due.add(new Due(System.nanoTime() + nanos, who));
  }

  /** A server did not want it yet. */
  void putOff(Listener who, long millis) {
    refused++;
    later(who, TimeUnit.MILLISECONDS.toNanos(millis));
  }

  void begins() {
    connecting++;
  }

  /** Its connection stands, or does not. */
  void began() {
    connecting--;
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

  void resumed(boolean shownWhatItNamed) {
    resumed += shownWhatItNamed ? 1 : 0;
    notResumed += shownWhatItNamed ? 0 : 1;
  }

  /**
   * A message has come.
   *
   * @param passedOver how many of its room it should have heard before; below 0: it has this one
   */
  void heard(int passedOver, boolean isBeforeItsJoin) {
    progressNanos = transport.readNanos();
    missing += Math.max(0, passedOver);
    repeated += passedOver < 0 ? 1 : 0;
    heard += passedOver < 0 ? 0 : 1;
    caughtUp += passedOver >= 0 && isBeforeItsJoin ? 1 : 0;
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
