package dev.chatflow.server.sink;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

/** A connection in memory: records everything sent, can stall and break. Thread-safe. */
public final class FakeWire implements Wire {

  private final Semaphore readers = new Semaphore(Integer.MAX_VALUE);
  private final List<String> events = new ArrayList<>();
  private boolean suspended;
  private boolean broken;
  private boolean timesOut;
  private boolean answered;
  private volatile long framesRead;
  private volatile Runnable onClose = () -> {};

  /** Sets an action within a close, before it returns, where Tomcat notifies its endpoint. */
  public void onClose(Runnable action) {
    onClose = action;
  }

  /** Makes the peer stop reading. */
  public void stall() {
    readers.drainPermits();
  }

  /** Makes the peer read {@code messages} more. */
  public void read(int messages) {
    readers.release(messages);
  }

  synchronized void breakDown() {
    broken = true;
    readers.release(1_000);
  }

  /** Makes the container give up waiting for the peer. */
  synchronized void timeOut() {
    timesOut = true;
    readers.release(1_000);
  }

  /**
   * Returns everything sent, in order: payloads, {@code flush}, {@code ping}, {@code close 1000},
   * {@code abort 1001}.
   */
  synchronized List<String> events() {
    return List.copyOf(events);
  }

  /** Returns everything sent except flushes. */
  public List<String> sent() {
    return events().stream().filter(event -> !event.equals("flush")).toList();
  }

  public synchronized boolean isSuspended() {
    return suspended;
  }

  @Override
  public void text(String payload) throws IOException {
    readers.acquireUninterruptibly();
    add(payload);
  }

  @Override
  public void gather() {}

  @Override
  public void flush() throws IOException {
    add("flush");
  }

  @Override
  public void ping() throws IOException {
    add("ping");
  }

  private synchronized void add(String event) throws IOException {
    if (timesOut) {
      throw new SocketTimeoutException();
    }
    if (broken) {
      throw new IOException("connection broken");
    }
    events.add(event);
  }

  @Override
  public void close(int code, String reason) {
    synchronized (this) {
      events.add("close " + code);
    }
    onClose.run();
  }

  @Override
  public void abort(int code, String reason) {
    synchronized (this) {
      events.add("abort " + code);
    }
    onClose.run();
  }

  /** Makes the peer answer the close. */
  public synchronized void answer() {
    answered = true;
  }

  @Override
  public synchronized boolean isAnswered() {
    return answered;
  }

  /** Sets the number of frames of any kind that were read. */
  public void framesRead(long all) {
    framesRead = all;
  }

  @Override
  public long framesRead() {
    return framesRead;
  }

  @Override
  public synchronized void suspend() {
    if (suspended) {
      throw new IllegalStateException("suspended already");
    }
    suspended = true;
  }

  @Override
  public synchronized void resume() {
    if (!suspended) {
      throw new IllegalStateException("not suspended");
    }
    suspended = false;
  }
}
