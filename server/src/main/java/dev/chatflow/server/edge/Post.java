package dev.chatflow.server.edge;

import dev.chatflow.consumer.room.Sessions;
import dev.chatflow.message.ChatMessage;
import dev.chatflow.room.Member;
import dev.chatflow.room.Shard;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One message published over HTTP: under way until its line has come back and its request is
 * answered.
 *
 * <p>The lane confirms, the consumer brings back, the request's thread waits and answers.
 */
public final class Post implements Sessions.Sender {

  private final ChatMessage message;
  private final Shard shard;
  private final Posts owner;
  private final CountDownLatch settled = new CountDownLatch(1);
  private volatile boolean confirmed;

  // Guarded by this.
  private boolean returned;
  private boolean answered;

  Post(ChatMessage message, Shard shard, Posts owner) {
    this.message = message;
    this.shard = shard;
    this.owner = owner;
  }

  /** What was accepted, with its id and time. */
  public ChatMessage message() {
    return message;
  }

  String session() {
    return message.origin().session();
  }

  Shard shard() {
    return shard;
  }

  /**
   * Waits for the broker's confirm.
   *
   * @return false when it did not come in time: the message is still sent until it comes
   */
  public boolean awaitConfirm(Duration patience) {
    try {
      boolean inTime = settled.await(patience.toNanos(), TimeUnit.NANOSECONDS);
      return inTime && confirmed;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  void confirm() {
    confirmed = true;
    settled.countDown();
  }

  /** Nobody waits for the confirm any more. */
  void giveUp() {
    settled.countDown();
  }

  /** The request has its answer, or nobody is there to hear it. */
  public void answered() {
    end(false);
  }

  /** It cannot be a member: only its connectionless text comes back. */
  @Override
  public @Nullable Member member() {
    return null;
  }

  @Override
  public void cameBack(int messages) {
    end(true);
  }

  /** The answer is the same as for the first time. */
  @Override
  public void resendWasShown(ChatMessage resend) {}

  private void end(boolean ofLine) {
    synchronized (this) {
      returned |= ofLine;
      answered |= !ofLine;
      if (!returned || !answered) {
        return;
      }
    }
    owner.remove(this);
  }

  synchronized boolean isAnswered() {
    return answered;
  }
}
