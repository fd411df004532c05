package dev.chatflow.lab.crowd;

import dev.chatflow.client.transport.Connection;
import dev.chatflow.client.transport.ConnectionEvents;
import dev.chatflow.client.transport.FrameBatch;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A user in one room: joins, sends due messages, checks received ones, and resumes after its last
 * message when its server stops. Belongs to one thread.
 */
final class Member implements ConnectionEvents {
  /** Close codes of a server that stops, was cut off or lost, or got the JOIN too late. */
  private static final Set<Integer> RECONNECTS_AFTER = Set.of(1001, 1012, 4003, ABNORMAL);

  private static final Pattern RECONNECT = Pattern.compile("reconnect after (\\d+) ms");
  private static final Pattern RETRY = Pattern.compile("\"retryAfterMs\":(\\d+)");
  private static final long RETRY_MILLIS = 1000;

  private enum State {
    AWAY,
    CONNECTING,
    OPEN,
    IN
  }

  private final Crowd crowd;
  private final Plan plan;
  private final Wire wire;
  private final Talk talk;
  private final int number;
  private final Receipts receipts;

  /** Answers to pings that wait for the socket; a server pings a few times a minute. */
  private final ArrayDeque<String> unsent = new ArrayDeque<>();

  private byte[] message = {};
  private State state = State.AWAY;
  private @Nullable Connection connection;
  private boolean isReady;
  private boolean isPostponed; // on this connection; a timer of an earlier one may fire later
  private boolean hasNamed;
  private boolean isListed;
  private int last = -1;
  private int guess;
  private int owed;
  private long sent;
  private long sentBefore;

  Member(Crowd crowd, Plan plan, Talk talk, int number) {
    this.crowd = crowd;
    this.plan = plan;
    this.talk = talk;
    this.number = number;
    wire =
        plan.wire().of(plan.firstRoom() + plan.roomOf(number), plan.userOf(number), plan.bytes());
    receipts = new Receipts(plan.speakers());
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Connects if it is disconnected, and joins again after a postponement. */
  void act() {
    if (state == State.AWAY) {
      state = State.CONNECTING; // may be rejected before the call returns
      crowd.connecting();
      URI server = plan.serverOf(number);
      URI uri = URI.create("ws://" + server.getAuthority() + wire.path());
      InetSocketAddress address = new InetSocketAddress(server.getHost(), server.getPort());
      connection = crowd.transport().connect(uri, address, "", this);
    } else if (state == State.OPEN && isPostponed) {
      greet();
    }
  }

  @Override
  public void opened() {
    crowd.connected();
    state = State.OPEN;
    greet();
  }

  private void greet() {
    isPostponed = false;
    hasNamed = last >= 0 && wire.resumes() && plan.speakers() == 1;
    if (!wire.greeting().isEmpty()) {
      say(hasNamed ? wire.greetingAfter(talk.frame(last)) : wire.greeting());
    }
    isReady = wire.readyAt().isEmpty();
    hello();
  }

  /** Sends a greeting that shows whether it is in the room, if nothing else does. */
  void hello() {
    Connection open = connection;
    if (open != null
        && wire.enteredAt().isEmpty()
        && isReady
        && state == State.OPEN
        && open.isWritable()) {
      FrameBatch batch = crowd.transport().batch();
      add(batch, Saying.HELLO, 0);
      open.write(batch);
    }
  }

  private void say(String text) {
    Connection open = connection;
    if (open == null) {
      return;
    }
    if (!open.isWritable()) {
      unsent.add(text);
      open.awaitWritable();
      return;
    }
    byte[] bytes = ascii(text);
    FrameBatch batch = crowd.transport().batch();
    int at = batch.begin(wire.opcode(), bytes.length);
    System.arraycopy(bytes, 0, batch.bytes(), at, bytes.length);
    batch.end();
    open.write(batch);
  }

  private void add(FrameBatch batch, int saying, long dueNanos) {
    if (message.length == 0) {
      String said = new String(Saying.of(number, plan.bytes()), StandardCharsets.US_ASCII);
      message = ascii(wire.begin() + said + wire.end());
    }
    Saying.stamp(message, wire.begin().length(), saying, dueNanos);
    int at = batch.begin(wire.opcode(), message.length);
    System.arraycopy(message, 0, batch.bytes(), at, message.length);
    batch.end();
  }

  /** Starts a new pace, whose messages are sent at once. */
  void begin(int messages) {
    sentBefore = sent;
    owed = 0;
    owe(messages);
  }

  /** Adds messages for the next {@link #flush}. */
  void owe(int messages) {
    owed += messages;
    if (!isListed && owed > 0) {
      isListed = true;
      crowd.list(this);
    }
  }

  /** Sends pending messages in one write, as far as the socket accepts them. */
  void flush() {
    isListed = false;
    Connection open = connection;
    if (state != State.IN || owed == 0 || open == null) {
      return;
    }
    if (!open.isWritable()) {
      open.awaitWritable();
      return;
    }
    FrameBatch batch = crowd.transport().batch();
    while (owed > 0 && batch.hasSpaceFor(plan.bytes() + wire.around())) {
      add(batch, (int) sent, crowd.dueNanos(number, sent - sentBefore));
      talk.say();
      sent++;
      owed--;
    }
    open.write(batch);
    owe(0);
  }

  @Override
  public void writable() {
    for (int i = unsent.size(); i > 0; i--) {
      say(unsent.remove());
    }
    flush();
  }

  @Override
  public void text(byte[] bytes, int from, int to) {
    int next = from;
    do {
      int at = Saying.find(bytes, next, to, guess);
      if (at < 0) {
        notice(bytes, next, to);
        return;
      }
      guess = at - next;
      take(bytes, at, from, to);
      next = at + plan.bytes() + wire.end().length();
    } while (wire.isStream() && next < to);
  }

  @Override
  public boolean binary(byte[] bytes, int from, int to) {
    text(bytes, from, to);
    return true;
  }

  /** Handles a frame without a message of the room. */
  private void notice(byte[] bytes, int from, int to) {
    if (state != State.IN && begins(bytes, from, to, wire.enteredAt())) {
      enter();
    } else if (begins(bytes, from, to, wire.othersAt())) {
      crowd.sawOther();
    } else {
      answer(new String(bytes, from, to - from, StandardCharsets.UTF_8));
    }
  }

  private static boolean begins(byte[] bytes, int from, int to, String beginning) {
    int end = from + beginning.length();
    return !beginning.isEmpty()
        && end <= to
        && Arrays.equals(bytes, from, end, ascii(beginning), 0, beginning.length());
  }

  private void enter() {
    if (hasNamed) {
      hasNamed = false;
      crowd.resumed(false);
    }
    state = State.IN;
    crowd.entered();
    owe(0);
  }

  private void answer(String frame) {
    isReady |= frame.startsWith(wire.readyAt());
    wire.answers()
        .forEach((begin, answer) -> {
          if (frame.startsWith(begin)) {
            say(answer);
          }
        });
    hello();
    Matcher wait = RETRY.matcher(frame);
    if (wait.find()) {
      isPostponed = true;
      crowd.postpone(this, Long.parseLong(wait.group(1)));
    } else if (wire.resumes()) {
      crowd.failed(frame);
    }
  }

  private void take(byte[] bytes, int at, int from, int to) {
    if (at + plan.bytes() > to) {
      crowd.failed("A message was truncated.");
      return;
    }
    int sender = Saying.sender(bytes, at);
    int said = Saying.number(bytes, at);
    if (plan.roomOf(sender) != plan.roomOf(number)) {
      crowd.failed("A message came from another room.");
    } else if (said == Saying.HELLO) {
      if (sender == number && state == State.OPEN) {
        enter();
      }
    } else if (!isNamedMessage(said) && receipts.take(plan.indexOf(sender), said)) {
      last = Math.max(last, said);
      long dueNanos = Saying.due(bytes, at);
      crowd.delivered(this, sender == number, state == State.IN, dueNanos);
      if (talk.receive(said, bytes, from, to)) {
        crowd.allHave(dueNanos);
      }
    }
  }

  /** Returns whether this first message after a reconnect shows that the server resumed. */
  private boolean isNamedMessage(int said) {
    boolean isIt = hasNamed && said == last;
    if (hasNamed) {
      hasNamed = false;
      crowd.resumed(isIt);
    }
    return isIt;
  }

  @Override
  public void refused(String reason) {
    state = State.AWAY;
    crowd.connected();
    if (wire.resumes()) {
      crowd.postpone(this, RETRY_MILLIS + ThreadLocalRandom.current().nextLong(RETRY_MILLIS));
    } else {
      crowd.failed("refused: " + reason);
    }
  }

  @Override
  public void closed(int code, String reason) {
    if (state == State.IN) {
      crowd.left();
    }
    state = State.AWAY;
    if (!wire.resumes() || !RECONNECTS_AFTER.contains(code)) {
      crowd.failed("closed " + code + " " + reason);
      return;
    }
    Matcher wait = RECONNECT.matcher(reason);
    long millis = wait.find() ? Long.parseLong(wait.group(1)) : RETRY_MILLIS;
    crowd.later(this, TimeUnit.MILLISECONDS.toNanos(millis));
  }

  void abort() {
    Connection open = connection;
    if (open != null) {
      open.abort();
    }
  }

  int number() {
    return number;
  }

  long sent() {
    return sent;
  }

  long taken() {
    return receipts.taken();
  }

  Receipts receipts() {
    return receipts;
  }

  /** Returns the number of missing deliveries while it is in its room. */
  long missing() {
    return state == State.IN ? talk.said() - taken() : 0;
  }

  /** Returns whether it has sent everything and received everything that it can. */
  boolean isServed() {
    return state != State.IN || (owed == 0 && missing() == 0);
  }
}
