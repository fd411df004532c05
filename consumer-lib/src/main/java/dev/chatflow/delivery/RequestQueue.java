package dev.chatflow.delivery;

import dev.chatflow.support.StepThread;
import java.time.Duration;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A bounded queue of requests to the thread that owns the requested state.
 *
 * <p>Any thread adds, the owning thread answers. At most {@value #MAX_QUESTIONS} requests wait;
 * further ones are rejected. A request waits until it can be answered completely, for at most 2 s.
 */
final class RequestQueue implements StepThread.Passive {

  static final int MAX_QUESTIONS = 64;

  private static final long PATIENCE_NANOS = Duration.ofSeconds(2).toNanos();
  private static final long LOOK_NANOS = Duration.ofMillis(20).toNanos();
  private static final long FOREVER_NANOS = Duration.ofDays(1).toNanos();

  /**
   * A request.
   *
   * @param ready returns whether waiting cannot improve the answer any more
   * @param answer creates the answer once ready
   * @param late creates the answer if it never was ready
   * @param refusal the answer if too many requests wait
   */
  record Question<A>(BooleanSupplier ready, Supplier<A> answer, Supplier<A> late, A refusal) {}

  private static final class Waiting<A> {
    private final Question<A> question;
    private final long requestedNanos;
    private final CompletableFuture<A> answer = new CompletableFuture<>();

    Waiting(Question<A> question, long requestedNanos) {
      this.question = question;
      this.requestedNanos = requestedNanos;
    }

    boolean isAnswered(long nowNanos) {
      try {
        if (question.ready().getAsBoolean()) {
          answer.complete(question.answer().get());
        } else if (nowNanos - requestedNanos >= PATIENCE_NANOS) {
          answer.complete(question.late().get());
        }
      } catch (RuntimeException e) {
        answer.completeExceptionally(e); // a defect of one request, not of the thread
      }
      return answer.isDone();
    }
  }

  private final Queue<Waiting<?>> questions = new LinkedBlockingQueue<>(MAX_QUESTIONS);

  /** Adds a request; a later step completes it, or it is rejected at once. */
  <A> CompletableFuture<A> ask(Question<A> question, long nowNanos) {
    Waiting<A> waiting = new Waiting<>(question, nowNanos);
    if (!questions.offer(waiting)) {
      waiting.answer.complete(question.refusal());
    }
    return waiting.answer;
  }

  @Override
  public long step(long nowNanos) {
    for (Iterator<Waiting<?>> each = questions.iterator(); each.hasNext(); ) {
      if (each.next().isAnswered(nowNanos)) {
        each.remove();
      }
    }
    return questions.isEmpty() ? FOREVER_NANOS : LOOK_NANOS;
  }
}
