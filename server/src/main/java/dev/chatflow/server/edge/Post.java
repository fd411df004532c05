package dev.chatflow.server.edge;

import dev.chatflow.message.ChatMessage;
import dev.chatflow.message.LineWriter;
import dev.chatflow.server.publish.Fate;
import dev.chatflow.server.publish.LaneSender;
import dev.chatflow.server.publish.WaitingLine;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * One message published over HTTP, in flight until its fate is known and its request is answered.
 *
 * <p>The shard's reader reports its fate; the request's thread waits and answers.
 */
public final class Post implements Fate, LaneSender {

  /** The fate of a post. */
  public enum Outcome {
    /** It is in the log and was shown. */
    SHOWN,
    /** It landed too late and was not shown; it may be sent again. */
    NOT_TAKEN,
    /** It was not shown because its user is muted, or is a mute too many. */
    REFUSED,
    /** Unknown, or not known yet. */
    UNKNOWN
  }

  private final ChatMessage message;
  private final Posts owner;
  private final CountDownLatch settled = new CountDownLatch(1);
  private final Semaphore free = new Semaphore(0);
  private volatile Outcome outcome = Outcome.UNKNOWN;

  // Guarded by this.
  private boolean known;
  private boolean answered;

  Post(ChatMessage message, Posts owner) {
    this.message = message;
    this.owner = owner;
  }

  /** Returns the accepted message, with its id and time. */
  public ChatMessage message() {
    return message;
  }

  String connectionId() {
    return message.origin().connectionId();
  }

  WaitingLine line(long read) {
    return new WaitingLine(
        message.room(),
        LineWriter.line(message),
        message.messageId(),
        message.content().type(),
        read,
        owner.nanoTime(),
        this);
  }

  @Override
  public void laneIsFree() {
    free.release();
  }

  /** Waits until the lane may accept it; false on timeout. */
  boolean awaitFree(long nanos) throws InterruptedException {
    return free.tryAcquire(nanos, TimeUnit.NANOSECONDS);
  }

  /** Waits for its fate; {@link Outcome#UNKNOWN} on timeout. */
  public Outcome await(Duration patience) {
    try {
      boolean inTime = settled.await(patience.toNanos(), TimeUnit.NANOSECONDS);
      return inTime ? outcome : Outcome.UNKNOWN;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return Outcome.UNKNOWN;
    }
  }

  /** Reports that it is not shown; {@link #back} follows. */
  void refused() {
    outcome = Outcome.REFUSED;
  }

  @Override
  public void back() {
    settle(outcome == Outcome.REFUSED ? outcome : Outcome.SHOWN);
  }

  @Override
  public void dropped() {
    settle(Outcome.NOT_TAKEN);
  }

  @Override
  public void unknown() {
    settle(Outcome.UNKNOWN);
  }

  private void settle(Outcome fate) {
    outcome = fate;
    settled.countDown();
    end(true);
  }

  /** Stops the waiting for its fate. */
  void giveUp() {
    settled.countDown();
  }

  /** Notes that the request was answered, or its client is gone. */
  public void answered() {
    end(false);
  }

  private void end(boolean ofLine) {
    synchronized (this) {
      known |= ofLine;
      answered |= !ofLine;
      if (!known || !answered) {
        return;
      }
    }
    owner.remove(this);
  }

  synchronized boolean isAnswered() {
    return answered;
  }
}
