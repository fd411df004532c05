package dev.chatflow.consumer;

import com.rabbitmq.client.Connection;
import dev.chatflow.broker.BrokerConnector;
import dev.chatflow.broker.BrokerException;
import dev.chatflow.broker.ShardMismatchException;
import dev.chatflow.message.line.DeadLetter;
import dev.chatflow.time.BackOff;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One consumer thread: has its queue declared, reads it on a channel of its own, hands what comes
 * to its {@link Duty}, acknowledges; and begins again whenever the channel ends or is no longer
 * trusted.
 *
 * <p>The thread {@code chat-consumer-n} runs {@link #run}; any thread may call the rest.
 */
final class ConsumerThread implements Runnable {

  private static final Logger log = LoggerFactory.getLogger(ConsumerThread.class);
  private static final Duration TICK = Duration.ofMillis(50);

  private final int thread;
  private final BrokerConnector connector;
  private final int prefetch;
  private final Duty duty;
  private final ConsumerMeter meter;
  private final CountDownLatch stopping = new CountDownLatch(1);
  private final CompletableFuture<Void> started = new CompletableFuture<>();
  private volatile boolean ready;
  private volatile String trouble = "";
  private volatile @Nullable ShardMismatchException failure;

  // The consumer thread's own.
  private int epoch;
  private long tickedNanos;
  private final BackOff backOff = BackOff.atOnceThen(200, 1_000);

  /**
   * Makes a role for a thread to run.
   *
   * @param thread its number, from 0
   * @param prefetch AMQP messages it may hold unacknowledged
   */
  ConsumerThread(
      int thread, BrokerConnector connector, int prefetch, Duty duty, ConsumerMeter meter) {
    this.thread = thread;
    this.connector = connector;
    this.prefetch = prefetch;
    this.duty = duty;
    this.meter = meter;
  }

  int number() {
    return thread;
  }

  /** Done when the queue was first read; fails when this process must not start. */
  CompletableFuture<Void> started() {
    return started;
  }

  boolean isReady() {
    return ready;
  }

  /** Why it does not read its queue, in words for an operator; empty when nothing hinders it. */
  String trouble() {
    String own = trouble;
    return own.isEmpty() && connector.connection() == null ? connector.trouble() : own;
  }

  @Nullable ShardMismatchException failure() {
    return failure;
  }

  /** Asks the thread to acknowledge what it has and to end. */
  void stop() {
    stopping.countDown();
  }

  private boolean isRunning() {
    return stopping.getCount() > 0;
  }

  @Override
  public void run() {
    try {
      while (isRunning()) {
        Connection connection = connector.poll(TICK);
        if (connection != null) {
          serve(connection);
        }
        tick();
      }
    } catch (ShardMismatchException e) {
      failure = e;
      started.completeExceptionally(e);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // told to end at once
    } finally {
      ready = false;
      started.cancel(false);
    }
  }

  /** Reads the queue until its channel ends. */
  private void serve(Connection connection) throws ShardMismatchException, InterruptedException {
    OpenQueue queue;
    try {
      queue = open(connection);
    } catch (ShardMismatchException e) {
      throw e;
    } catch (BrokerException e) {
      failed(String.valueOf(e.getMessage()));
      pause();
      return;
    }
    trouble = "";
    backOff.reset();
    opened();
    String why = read(queue);
    closed(queue, why);
  }

  private OpenQueue open(Connection connection) throws BrokerException {
    duty.declare(connection);
    return OpenQueue.open(connection, duty.queue(), duty.readsAlone(), prefetch, meter);
  }

  private void opened() {
    epoch++;
    duty.opened(epoch);
    ready = true;
    started.complete(null);
    log.info("consumer {} reads {} ({})", thread, duty.queue(), epoch);
  }

  /**
   * Takes deliveries until told to stop or something is wrong.
   *
   * @return what is wrong, or null when told to stop
   */
  private @Nullable String read(OpenQueue queue) throws InterruptedException {
    String why = null;
    try {
      while (why == null && isRunning()) {
        Delivery delivery = queue.poll();
        if (delivery != null) {
          take(queue, delivery);
        }
        queue.tick();
        tick();
        why = wrong(queue, delivery == null);
      }
    } catch (BrokerException e) {
      why = String.valueOf(e.getMessage());
    } catch (RuntimeException e) { // a bug: begin anew rather than die unseen
      log.error("consumer {} failed", thread, e);
      why = e.toString();
    }
    return why;
  }

  private void take(OpenQueue queue, Delivery delivery) throws BrokerException {
    duty.take(delivery, millis());
    bury(queue);
    queue.appended(delivery);
  }

  /** A dead letter is forgotten only when it has been sent. */
  private void bury(OpenQueue queue) throws BrokerException {
    Queue<DeadLetter> letters = duty.deadLetters();
    for (DeadLetter next = letters.peek(); next != null; next = letters.peek()) {
      queue.bury(next);
      letters.remove();
    }
  }

  private @Nullable String wrong(OpenQueue queue, boolean idle) throws BrokerException {
    String ended = queue.ended();
    return ended == null ? duty.wrong(idle) : ended;
  }

  /** Takes what was handed over before the end; the next channel may deliver it again. */
  private void closed(OpenQueue queue, @Nullable String why) {
    ready = false;
    duty.closed();
    if (why == null) {
      end(queue);
      return;
    }
    log.warn("consumer {} opens queue {} anew: {}", thread, duty.queue(), why);
    queue.abandon();
    Delivery left = queue.leftOver();
    while (left != null) {
      duty.take(left, millis());
      left = queue.leftOver();
    }
  }

  private void end(OpenQueue queue) {
    try {
      Delivery left = queue.leftOver();
      while (left != null) {
        take(queue, left);
        left = queue.leftOver();
      }
      queue.end(duty.deletesQueue());
    } catch (BrokerException e) {
      log.warn("consumer {} could not end in peace: {}", thread, e.getMessage());
      queue.abandon();
    }
  }

  /** One log line for each new trouble, not for each retry. */
  private void failed(String why) {
    if (!why.equals(trouble)) {
      log.warn("consumer {} cannot read yet, trying on: {}", thread, why);
      trouble = why;
    }
  }

  private void pause() throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(backOff.nextMillis());
    while (end - System.nanoTime() > 0 && !stopping.await(TICK.toMillis(), TimeUnit.MILLISECONDS)) {
      tick();
    }
  }

  private void tick() {
    long now = System.nanoTime();
    if (now - tickedNanos >= TICK.toNanos()) {
      tickedNanos = now;
      duty.tick(millis());
    }
  }

  /** Only differences matter, and they must survive a change of the wall clock. */
  private static long millis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
  }
}
