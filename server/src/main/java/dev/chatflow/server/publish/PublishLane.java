package dev.chatflow.server.publish;

import dev.chatflow.broker.BrokerException;
import dev.chatflow.consumer.room.ShardLink;
import dev.chatflow.consumer.room.ShardLink.OwnFlight;
import dev.chatflow.consumer.room.ShardLink.OwnQueue;
import dev.chatflow.server.publish.channel.ChannelPool;
import dev.chatflow.server.publish.channel.Confirm;
import dev.chatflow.server.publish.channel.Flight;
import dev.chatflow.server.vitals.Vitals;
import dev.chatflow.time.BackOff;
import dev.chatflow.time.Seldom;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way of one shard's messages to the broker: one flight in the air, sent until it is confirmed.
 *
 * <p>Any thread offers; the thread {@code chat-lane-SHARD} does all else, one step after another:
 * bind the shard to the server's own queue, build a flight of what waits, send the same bytes until
 * the broker has them, beacon when idle, unbind after a long idle time. So binds and flights of a
 * shard are serial, and a message that comes back unwanted can only mean that the own queue is
 * gone. The order of a lane holds on any channel, because there is never a second flight.
 *
 * <p>An accepted message leaves the lane by a confirm only; or, given up, by {@link #close}.
 */
final class PublishLane {

  private static final Logger log = LoggerFactory.getLogger(PublishLane.class);
  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final long FOREVER_NANOS = TimeUnit.DAYS.toNanos(1);

  private final LaneQueue queue;
  private final FlightBuilder builder;
  private final ShardLink link;
  private final LaneTools tools;
  private final Binding binding;
  private final LaneSchedule schedule;
  private final Thread thread;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Seldom failureLines = new Seldom(Duration.ofSeconds(10), System.nanoTime());

  private volatile boolean flying;
  private volatile int connectionToProbe;
  private volatile long sequence;
  private volatile @Nullable Flight inTheAir;

  // The lane's thread alone.
  private int confirmedConnection;

  PublishLane(LaneQueue queue, FlightBuilder builder, ShardLink link, LaneTools tools) {
    this.queue = queue;
    this.builder = builder;
    this.link = link;
    this.tools = tools;
    this.binding = new Binding(link, tools.pool());
    this.schedule = new LaneSchedule(tools.timing(), System.nanoTime());
    this.thread =
        Thread.ofPlatform().name("chat-lane-" + link.shard().index()).daemon().unstarted(this::run);
  }

  void start() {
    link.onQueueOpen(queue::wake);
    thread.start();
  }

  /** Takes a message; false when the lane is above its bound, see {@link LaneQueue#offer}. */
  boolean offer(Outgoing message, Drained sender) {
    return queue.offer(message, sender);
  }

  boolean belowBound() {
    return queue.belowBound();
  }

  boolean belowHalf() {
    return queue.belowHalf();
  }

  boolean isBound() {
    return binding.isBound();
  }

  /**
   * Sends a beacon at once, binding the shard if need be: its confirm closes the circuit.
   *
   * @param connection as the circuit names it; a confirm by this connection will do
   */
  void probe(int connection) {
    connectionToProbe = connection;
    queue.wake();
  }

  /** Nothing waits, nothing is in the air, and all own flights came back. */
  boolean isEmpty() {
    // In this order: a message is in the queue, then in a flight, then counted by the sequence.
    return queue.isEmpty() && !flying && link.returnedSequence() >= sequence;
  }

  Vitals.Lane view() {
    return new Vitals.Lane(link.shard().index(), queue.size(), sequence);
  }

  // --- the lane's thread

  private void run() {
    try {
      while (isRunning()) {
        queue.await(nanosUntilDue());
        guardedStep();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // closed
    }
  }

  /** A bug must not end the lane: who waits for it would wait for ever. */
  private void guardedStep() throws InterruptedException {
    try {
      step();
    } catch (RuntimeException e) {
      log.error("lane {} failed and goes on", builder.lane(), e);
      pause(PATIENCE.toNanos());
    }
  }

  private void step() throws InterruptedException {
    Flight unfinished = inTheAir;
    if (unfinished != null) {
      land(unfinished);
    } else if (!queue.isEmpty()) {
      fly();
    } else if (nanosUntilBeacon() == 0) {
      beacon();
    } else if (mayUnbind()) {
      binding.release();
    }
  }

  private long nanosUntilDue() {
    if (inTheAir != null) {
      return 0;
    }
    long linger = schedule.untilLingerEnd(System.nanoTime());
    long unbind = binding.isBound() && linger > 0 ? linger : FOREVER_NANOS;
    return Math.min(nanosUntilBeacon(), mayUnbind() ? 0 : unbind);
  }

  private long nanosUntilBeacon() {
    if (connectionToProbe > confirmedConnection || binding.owesMark() || binding.isStale()) {
      return 0;
    }
    return binding.isBound() ? schedule.untilBeacon(System.nanoTime()) : FOREVER_NANOS;
  }

  private boolean mayUnbind() {
    return binding.isBound()
        && schedule.untilLingerEnd(System.nanoTime()) == 0
        && link.members() == 0
        && link.returnedSequence() >= sequence;
  }

  private void fly() throws InterruptedException {
    pause(schedule.untilStart(System.nanoTime()));
    if (!awaitBound()) {
      return;
    }
    flying = true;
    Flight flight = builder.build(queue, sequence + 1, binding.takeMark());
    sequence = flight.sequence();
    inTheAir = flight;
    schedule.flightStarts(System.nanoTime());
    queue.callDrained();
    land(flight);
  }

  private void land(Flight flight) throws InterruptedException {
    if (sendUntilConfirmed(flight)) {
      schedule.flightConfirmed(System.nanoTime());
      inTheAir = null;
      flying = false;
    }
  }

  private void beacon() throws InterruptedException {
    if (!awaitBound()) {
      return;
    }
    OwnFlight last = new OwnFlight(sequence, 0, link.flight().acceptedNanos());
    if (sendUntilConfirmed(builder.beacon(last, binding.takeMark()))) {
      schedule.beaconConfirmed(System.nanoTime());
    }
  }

  /** True when bound; false when the lane is closed. */
  private boolean awaitBound() throws InterruptedException {
    BackOff backOff = backOff();
    while (isRunning()) {
      if (!tools.uplink().awaitOpen(PATIENCE)) {
        backOff.reset();
        pause(backOff);
        continue;
      }
      OwnQueue own = link.awaitQueue(PATIENCE.toMillis());
      if (own == null) {
        continue; // the consumer is about to open it
      }
      Confirm bound = binding.ensure(own);
      if (bound instanceof Confirm.Acked) {
        return true;
      }
      failed("bind", bound);
      pause(backOff);
    }
    return false;
  }

  /** True when confirmed; false when the lane is closed. */
  private boolean sendUntilConfirmed(Flight flight) throws InterruptedException {
    int retries = 0;
    BackOff backOff = backOff();
    while (awaitBound()) {
      int connection = tools.circuit().connection();
      long published = System.nanoTime();
      link.published(new OwnFlight(flight.sequence(), published, flight.acceptedNanos()));
      if (retries == 0 && !flight.isBeacon()) {
        tools.meter().laneWait(Duration.ofNanos(published - flight.acceptedNanos()));
      }
      Confirm confirm = send(flight);
      if (confirm instanceof Confirm.Acked) {
        confirmed(flight, connection);
        Duration took = Duration.ofNanos(System.nanoTime() - published);
        tools.meter().flight(flight.messages(), took, retries);
        return true;
      }
      failed(flight.isBeacon() ? "beacon" : "flight", confirm);
      retries++;
      pause(backOff);
    }
    return false;
  }

  private Confirm send(Flight flight) throws InterruptedException {
    try (ChannelPool.Lease lease = tools.pool().borrow()) {
      Confirm confirm = lease.channel().send(flight);
      if (confirm instanceof Confirm.Acked) {
        lease.keep();
      }
      return confirm;
    } catch (BrokerException e) {
      return new Confirm.Lost(String.valueOf(e.getMessage()));
    }
  }

  private void confirmed(Flight flight, int connection) {
    link.confirmed(flight.sequence(), System.nanoTime());
    confirmedConnection = connection;
    tools.circuit().confirmed(connection);
    flight.onConfirm().forEach(Runnable::run);
  }

  private void failed(String what, Confirm confirm) {
    if (!isRunning()) {
      return;
    }
    tools.circuit().failed("lane " + link.shard().index() + ": " + what + " " + confirm);
    if (confirm instanceof Confirm.Returned) {
      link.requestAttention();
    }
    if (failureLines.take(System.nanoTime()) != Seldom.NOT_NOW) {
      log.warn("lane {}: {} not taken, trying on: {}", builder.lane(), what, confirm);
    }
  }

  private static BackOff backOff() {
    return new BackOff(10, 320);
  }

  private void pause(BackOff backOff) throws InterruptedException {
    pause(TimeUnit.MILLISECONDS.toNanos(backOff.nextMillis()));
  }

  private void pause(long nanos) throws InterruptedException {
    stopped.await(nanos, TimeUnit.NANOSECONDS);
  }

  private boolean isRunning() {
    return stopped.getCount() > 0;
  }

  // --- the end

  /** Asks the thread to end; it may be in the middle of an attempt. */
  void close() {
    stopped.countDown();
    queue.wake();
    thread.interrupt();
  }

  /**
   * Waits for the thread's end.
   *
   * @return how many messages are given up: they waited, or were in the air
   */
  int awaitEnd(Duration patience) throws InterruptedException {
    thread.join(patience);
    Flight last = inTheAir;
    return queue.size() + (last == null ? 0 : last.messages());
  }
}
