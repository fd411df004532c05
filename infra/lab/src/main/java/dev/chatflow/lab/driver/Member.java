package dev.chatflow.lab.driver;

import dev.chatflow.client.transport.Connection;
import dev.chatflow.client.transport.ConnectionEvents;
import dev.chatflow.client.transport.FrameBatch;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;

/** One connection in one room: enters, says what is owed, judges what it gets. One thread. */
final class Member implements ConnectionEvents {
  private final Drive drive;
  private final int number;
  private final Wire wire;
  private final Receipts receipts;
  private final byte[] message;
  private final int sayingAt;
  private final int sayingBytes;
  private final Connection connection;

  /** Answers that wait for the socket; a server asks a few times a minute. */
  private final ArrayDeque<String> unsaid = new ArrayDeque<>();

  private int guess;
  private boolean isOver;
  private boolean isReady;
  private boolean isIn;
  private boolean isListed;
  private int owed;
  private int sent;

  Member(Drive drive, Wire wires, int number) {
    this.drive = drive;
    this.number = number;
    Plan plan = drive.plan();
    wire = wires.of(plan.roomOf(number) + 1, plan.userOf(number), plan.bytes());
    receipts = new Receipts(plan.members());
    byte[] begin = ascii(wire.begin());
    byte[] saying = Saying.of(number, plan.bytes());
    byte[] end = ascii(wire.end());
    message = new byte[begin.length + saying.length + end.length];
    System.arraycopy(begin, 0, message, 0, begin.length);
    System.arraycopy(saying, 0, message, begin.length, saying.length);
    System.arraycopy(end, 0, message, begin.length + saying.length, end.length);
    sayingAt = begin.length;
    sayingBytes = saying.length;
    URI uri = URI.create("ws://" + plan.host() + ":" + plan.port() + wire.path());
    connection = drive.transport().connect(uri, plan.address(), "", this);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public void opened() {
    drive.opened();
    if (!wire.greeting().isEmpty()) {
      say(wire.greeting());
    }
    isReady = wire.readyAt().isEmpty();
    hello();
  }

  /** Says a word that only tells it whether it is in the room, until it does. */
  void hello() {
    if (isReady && !isIn && connection.isWritable()) {
      Saying.stamp(message, sayingAt, Saying.HELLO, 0);
      FrameBatch batch = drive.transport().batch();
      add(batch);
      connection.write(batch);
    }
  }

  private void say(String text) {
    if (!connection.isWritable()) {
      unsaid.add(text);
      connection.awaitWritable();
      return;
    }
    FrameBatch batch = drive.transport().batch();
    byte[] bytes = ascii(text);
    System.arraycopy(
        bytes, 0, batch.bytes(), batch.begin(wire.opcode(), bytes.length), bytes.length);
    batch.end();
    connection.write(batch);
  }

  private void add(FrameBatch batch) {
    int at = batch.begin(wire.opcode(), message.length);
    System.arraycopy(message, 0, batch.bytes(), at, message.length);
    batch.end();
  }

  /** More messages to send at the next {@link #flush}. */
  void owe(int messages) {
    owed += messages;
    if (!isListed) {
      isListed = true;
      drive.later(this);
    }
  }

  /** Sends what is owed and what the socket takes, in one write. */
  void flush() {
    isListed = false;
    if (isOver || owed == 0) {
      return;
    }
    if (!connection.isWritable()) {
      isListed = true;
      connection.awaitWritable();
      return;
    }
    FrameBatch batch = drive.transport().batch();
    while (owed > 0 && batch.hasSpaceFor(message.length)) {
      Saying.stamp(message, sayingAt, sent, drive.dueNanos(number, sent));
      add(batch);
      sent++;
      owed--;
    }
    connection.write(batch);
    if (owed > 0) {
      owe(0);
    }
  }

  @Override
  public void writable() {
    for (int i = unsaid.size(); i > 0; i--) {
      say(unsaid.remove());
    }
    flush();
  }

  @Override
  public void text(byte[] bytes, int from, int to) {
    int next = from;
    do {
      int at = Saying.find(bytes, next, to, guess);
      if (at < 0) {
        answer(new String(bytes, next, to - next, StandardCharsets.UTF_8));
        return;
      }
      guess = at - next;
      take(bytes, at, to);
      next = at + sayingBytes + wire.end().length();
    } while (wire.isStream() && next < to);
  }

  @Override
  public boolean binary(byte[] bytes, int from, int to) {
    text(bytes, from, to);
    return true;
  }

  private void answer(String said) {
    isReady |= said.startsWith(wire.readyAt());
    wire.answers()
        .forEach((begin, answer) -> {
          if (said.startsWith(begin)) {
            say(answer);
          }
        });
    hello();
  }

  private void take(byte[] bytes, int at, int to) {
    int sender = Saying.sender(bytes, at);
    int said = Saying.number(bytes, at);
    Plan plan = drive.plan();
    if (at + sayingBytes > to || plan.roomOf(sender) != plan.roomOf(number)) {
      drive.failed("a message that was cut, or of another room");
    } else if (said == Saying.HELLO) {
      if (sender == number && !isIn) {
        isIn = true;
        drive.entered();
      }
    } else if (receipts.take(plan.indexOf(sender), said)) {
      drive.delivered(this, sender == number, Saying.due(bytes, at));
    }
  }

  @Override
  public void refused(String reason) {
    isOver = true;
    drive.failed("refused: " + reason);
  }

  @Override
  public void closed(int code, String reason) {
    isOver = true;
    drive.failed("closed " + code + " " + reason);
  }

  void abort() {
    connection.abort();
  }

  int number() {
    return number;
  }

  int sent() {
    return sent;
  }

  /** Whether all that was owed is sent, as far as it can be. */
  boolean isDone() {
    return isOver || owed == 0;
  }

  Receipts receipts() {
    return receipts;
  }
}
