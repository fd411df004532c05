package dev.chatflow.lab.load;

import dev.chatflow.client.transport.nio.NioTransport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Recorder;

/** Some connections of a crowd and the thread that serves them. */
final class CrowdThread implements Runnable {
  private static final int CONNECTING_AT_ONCE = 128;
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final CrowdPlan plan;
  private final int first;
  private final int step;
  private final Recorder roundTrips;
  private final NioTransport transport;
  private final List<CrowdMember> members = new ArrayList<>();
  private final ArrayDeque<CrowdMember> dirty = new ArrayDeque<>();
  private final Thread thread = Thread.ofPlatform().name("crowd").unstarted(this);
  private int opened;
  private boolean started;

  private final CountDownLatch hasEnded = new CountDownLatch(1);
  private final CountDownLatch mayDisconnect = new CountDownLatch(1);

  private volatile boolean going;
  private volatile boolean stopping;
  private volatile boolean hasStopped;
  private volatile boolean ended;
  private volatile boolean failed;

  // Published after each poll.
  private volatile long deliveries;
  private volatile long reads;
  private volatile long sent;
  private volatile long echoed;
  private long recorded;

  /** Serves the connections {@code first}, {@code first + step} and so on. */
  CrowdThread(CrowdPlan plan, int first, int step, Recorder roundTrips) {
    this.plan = plan;
    this.first = first;
    this.step = step;
    this.roundTrips = roundTrips;
    this.transport = new NioTransport(first);
  }

  void begin() {
    thread.start();
  }

  void go() {
    going = true;
    transport.wakeup();
  }

  /** No more messages; what is under way still comes. */
  void stopSending() {
    stopping = true;
  }

  /** Reads no more; the connections stay, because who sees others leave gets more frames. */
  void end() {
    ended = true;
    transport.wakeup();
  }

  void awaitEnd() throws InterruptedException {
    hasEnded.await();
  }

  void disconnect() throws InterruptedException {
    mayDisconnect.countDown();
    thread.join();
  }

  @Override
  public void run() {
    URI base = URI.create(plan.url());
    InetSocketAddress address = new InetSocketAddress(base.getHost(), base.getPort());
    try {
      while (!ended) {
        connectSome(base, address);
        transport.poll(dirty.isEmpty() ? POLL_NANOS : 0);
        if (going && !started) {
          started = true;
          members.forEach(CrowdMember::start);
        }
        flushDirty();
        publish();
      }
      hasEnded.countDown();
      mayDisconnect.await();
    } catch (IOException e) {
      failed = true;
      throw new UncheckedIOException(e);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      hasEnded.countDown();
      members.forEach(CrowdMember::abort);
      transport.close();
    }
  }

  private void connectSome(URI base, InetSocketAddress address) {
    int next = first + members.size() * step;
    while (next < plan.connections() && members.size() - opened < CONNECTING_AT_ONCE) {
      members.add(new CrowdMember(this, plan, next, base, address));
      next += step;
    }
  }

  private void flushDirty() {
    for (int i = dirty.size(); i > 0; i--) {
      dirty.remove().flush();
    }
  }

  private void publish() {
    long nowSent = 0;
    if (stopping) {
      for (CrowdMember member : members) {
        nowSent += member.sent();
      }
      sent = nowSent;
      hasStopped = true;
    }
    deliveries = transport.traffic().framesIn;
    reads = transport.traffic().reads;
    echoed = recorded;
  }

  // --- for members

  NioTransport transport() {
    return transport;
  }

  boolean isStopping() {
    return stopping;
  }

  void opened() {
    opened++;
  }

  /** A failure stays: one that comes when the run has ended must not erase it. */
  void failed() {
    if (!ended) {
      failed = true;
    }
  }

  void later(CrowdMember member) {
    dirty.add(member);
  }

  void recordRoundTrip(long nanos) {
    recorded++;
    roundTrips.recordValue(Math.max(0, nanos));
  }

  // --- for the crowd

  long deliveries() {
    return deliveries;
  }

  long reads() {
    return reads;
  }

  /** Whether nothing more is sent, and {@link #sent} is known. */
  boolean hasStopped() {
    return hasStopped;
  }

  /** Messages sent; known once sending has stopped. */
  long sent() {
    return sent;
  }

  long echoed() {
    return echoed;
  }

  boolean hasFailed() {
    return failed;
  }

  /** After {@link #end}. */
  List<CrowdMember> members() {
    return members;
  }
}
