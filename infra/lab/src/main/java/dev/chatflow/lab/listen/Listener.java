package dev.chatflow.lab.listen;

import dev.chatflow.client.transport.Connection;
import dev.chatflow.client.transport.ConnectionEvents;
import dev.chatflow.client.transport.FrameBatch;
import dev.chatflow.lab.driver.Saying;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One person in one room: enters, hears every message once and in order, comes back when its server
 * goes, naming the last frame it has. One thread.
 */
final class Listener implements ConnectionEvents {
  /** Where the first letter of a broadcast's type stands. */
  private static final int TYPE_AT = "{\"messageType\":\"".length();

  /** A server that stops, was cut off, or is gone, or to which the JOIN came too late. */
  private static final Set<Integer> COMES_BACK_AFTER = Set.of(1001, 1012, 4003, ABNORMAL);

  private static final Pattern RECONNECT = Pattern.compile("reconnect after (\\d+) ms");
  private static final Pattern RETRY = Pattern.compile("\"retryAfterMs\":(\\d+)");
  private static final long RETRY_MILLIS = 1000;
  private static final int MESSAGE_BYTES = 100;

  private final Audience audience;
  private final Talk talk;
  private final URI uri;
  private final int user;
  private final byte[] ownJoin;

  private enum State {
    AWAY,
    CONNECTING,
    OPEN,
    IN
  }

  private State state = State.AWAY;
  private @Nullable Connection connection;
  private boolean isPutOff; // on this connection: an earlier one's time may come later
  private boolean hasNamed;
  private int next;
  private int guess;

  Listener(Audience audience, Talk talk, URI uri, int user) {
    this.audience = audience;
    this.talk = talk;
    this.uri = uri;
    this.user = user;
    String room = uri.getPath().substring(uri.getPath().lastIndexOf('/') + 1);
    ownJoin =
        ascii(
            "{\"messageType\":\"JOIN\",\"roomId\":\"%s\",\"userId\":\"%d\",".formatted(room, user));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Connects when it is away, joins again when that was put off; else does nothing. */
  void act() {
    if (state == State.AWAY) {
      state = State.CONNECTING; // it may be refused before the call returns
      audience.begins();
      InetSocketAddress address = new InetSocketAddress(uri.getHost(), uri.getPort());
      connection = audience.transport().connect(uri, address, "", this);
    } else if (state == State.OPEN && isPutOff) {
      join();
    }
  }

  @Override
  public void opened() {
    audience.began();
    state = State.OPEN;
    join();
  }

  private void join() {
    isPutOff = false;
    hasNamed = next > 0;
    String after =
        hasNamed ? ",\"after\":" + new String(talk.frame(next - 1), StandardCharsets.US_ASCII) : "";
    send(
        ascii(
            "{\"messageType\":\"JOIN\",\"userId\":\"%d\",\"username\":\"user%d\",\"timestamp\":\"2026-01-01T00:00:00Z\"%s}"
                .formatted(user, user, after)));
  }

  /** Says the next message of its room; false when it cannot at the moment. */
  boolean say(long dueNanos) {
    Connection open = connection;
    if (open == null || state != State.IN || !open.isWritable()) {
      return false;
    }
    byte[] saying = Saying.of(0, MESSAGE_BYTES);
    Saying.stamp(saying, 0, talk.say(), dueNanos);
    send(
        ascii(
            "{\"messageType\":\"TEXT\",\"userId\":\"%d\",\"username\":\"user%d\",\"message\":\"%s\",\"timestamp\":\"2026-01-01T00:00:00Z\"}"
                .formatted(user, user, new String(saying, StandardCharsets.US_ASCII))));
    return true;
  }

  private void send(byte[] message) {
    Connection open = connection;
    if (open != null && open.isWritable()) {
      FrameBatch batch = audience.transport().batch();
      System.arraycopy(
          message,
          0,
          batch.bytes(),
          batch.begin(FrameBatch.OP_TEXT, message.length),
          message.length);
      batch.end();
      open.write(batch);
    }
  }

  @Override
  public void text(byte[] bytes, int from, int to) {
    switch (to - from > TYPE_AT ? bytes[from + TYPE_AT] : 0) {
      case 'T' -> hear(bytes, from, to);
      case 'J' -> seeJoin(bytes, from, to);
      case 'L' -> audience.sawOther();
      default -> refusedByServer(new String(bytes, from, to - from, StandardCharsets.UTF_8));
    }
  }

  private void seeJoin(byte[] bytes, int from, int to) {
    int end = from + ownJoin.length;
    if (state == State.IN
        || end > to
        || !Arrays.equals(bytes, from, end, ownJoin, 0, ownJoin.length)) {
      audience.sawOther();
      return;
    }
    if (hasNamed) {
      hasNamed = false;
      audience.resumed(false);
    }
    state = State.IN;
    audience.entered();
  }

  private void hear(byte[] bytes, int from, int to) {
    int at = Saying.find(bytes, from, to, guess);
    if (at < 0) {
      audience.failed("a message without a number");
      return;
    }
    guess = at - from;
    int number = Saying.number(bytes, at);
    if (hasNamed) {
      hasNamed = false;
      audience.resumed(number == next - 1);
      if (number == next - 1) {
        return;
      }
    }
    int passedOver = number - next;
    audience.heard(passedOver, state != State.IN);
    if (passedOver >= 0) {
      next = number + 1;
      if (talk.hear(number, bytes, from, to)) {
        audience.allHave(Saying.due(bytes, at));
      }
    }
  }

  private void refusedByServer(String frame) {
    Matcher wait = RETRY.matcher(frame);
    if (wait.find()) {
      isPutOff = true;
      audience.putOff(this, Long.parseLong(wait.group(1)));
    } else {
      audience.failed(frame);
    }
  }

  @Override
  public void refused(String reason) {
    state = State.AWAY;
    audience.began();
    audience.putOff(this, RETRY_MILLIS + ThreadLocalRandom.current().nextLong(RETRY_MILLIS));
  }

  @Override
  public void closed(int code, String reason) {
    if (state == State.IN) {
      audience.left();
    }
    state = State.AWAY;
    if (!COMES_BACK_AFTER.contains(code)) {
      audience.failed("closed " + code + " " + reason);
      return;
    }
    Matcher wait = RECONNECT.matcher(reason);
    long told = wait.find() ? Long.parseLong(wait.group(1)) : RETRY_MILLIS;
    audience.later(this, TimeUnit.MILLISECONDS.toNanos(told));
  }

  @Override
  public void writable() {
    // whatever it says it says when it can
  }

  void abort() {
    Connection open = connection;
    if (open != null) {
      open.abort();
    }
  }

  /** Whether it has all that was said, or is away. */
  boolean isServed() {
    return state != State.IN || next == talk.said();
  }
}
