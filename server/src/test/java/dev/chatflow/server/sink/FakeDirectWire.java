package dev.chatflow.server.sink;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.CompletionHandler;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A transport in memory with outcomes chosen by the test: writes at once, waits, is not ready,
 * fails.
 *
 * <p>Fails the test if the sink breaks a rule: a write without the permit, a second one in flight,
 * a permit released twice, bytes after a close. Thread-safe.
 */
final class FakeDirectWire implements DirectWire {

  /** The outcome of the next write. */
  enum Next {
    WRITTEN,
    WAITS,
    NOT_STARTED,
    FAILS_AT_ONCE,
    THROWS
  }

  private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
  private final List<String> closes = new ArrayList<>();
  private final List<String> broken = new ArrayList<>();
  private Next next = Next.WRITTEN;
  private boolean permitTaken;
  private boolean containerHasPermit;
  private boolean closeSent;
  private int writes;
  private @Nullable CompletionHandler<Long, @Nullable Void> handler;
  private ByteBuffer[] waiting = {};

  synchronized void next(Next outcome) {
    next = outcome;
  }

  /** Sets whether the container is sending a frame of its own. */
  synchronized void containerWrites(boolean writing) {
    containerHasPermit = writing;
  }

  synchronized void containerSentClose() {
    closeSent = true;
  }

  synchronized boolean isWaiting() {
    return handler != null;
  }

  /** Completes the waiting write. */
  void complete() {
    CompletionHandler<Long, @Nullable Void> waited;
    synchronized (this) {
      waited = take();
      keep(waiting);
    }
    waited.completed(1L, null);
  }

  void fail() {
    fail(new IOException("broken"));
  }

  void fail(IOException failure) {
    take().failed(failure, null);
  }

  private synchronized CompletionHandler<Long, @Nullable Void> take() {
    CompletionHandler<Long, @Nullable Void> waited = handler;
    if (waited == null) {
      throw new IllegalStateException("no write waits");
    }
    handler = null;
    return waited;
  }

  /** Returns all sent bytes as text; every byte is one character. */
  synchronized String sent() {
    return sent.toString(StandardCharsets.ISO_8859_1);
  }

  synchronized List<String> closes() {
    return List.copyOf(closes);
  }

  /** Returns the rules that were broken. */
  synchronized List<String> broken() {
    return List.copyOf(broken);
  }

  synchronized int writes() {
    return writes;
  }

  /** Returns whether the sink holds the permit. */
  synchronized boolean isPermitTaken() {
    return permitTaken;
  }

  @Override
  public synchronized boolean tryBegin() {
    if (permitTaken || containerHasPermit) {
      return false;
    }
    permitTaken = true;
    return true;
  }

  @Override
  public synchronized boolean isCloseSent() {
    check(permitTaken, "asked without the permit");
    return closeSent;
  }

  @Override
  public Started write(ByteBuffer[] frames, CompletionHandler<Long, @Nullable Void> completion) {
    Next outcome;
    synchronized (this) {
      writes++;
      check(permitTaken, "write without the permit");
      check(handler == null, "a second write in flight");
      check(!closeSent && closes.isEmpty(), "bytes after a close");
      outcome = next;
      switch (outcome) {
        case WRITTEN -> keep(frames);
        case WAITS -> {
          handler = completion;
          waiting = frames;
        }
        default -> next = Next.WRITTEN;
      }
    }
    return switch (outcome) {
      case WRITTEN -> Started.WRITTEN;
      case WAITS -> Started.IN_THE_AIR;
      case NOT_STARTED -> Started.NOT_STARTED;
      case FAILS_AT_ONCE -> {
        completion.failed(new IOException("broken"), null);
        yield Started.IN_THE_AIR;
      }
      case THROWS -> throw new IllegalStateException("this Tomcat is another");
    };
  }

  private void keep(ByteBuffer[] frames) {
    for (ByteBuffer frame : frames) {
      while (frame.hasRemaining()) {
        sent.write(frame.get());
      }
    }
  }

  @Override
  public synchronized void end() {
    check(permitTaken, "permit given back twice");
    permitTaken = false;
  }

  @Override
  public synchronized void close(int code, String reason) {
    closes.add(code + " " + reason);
  }

  @Override
  public synchronized void abort(int code, String reason) {
    closes.add("abort " + code + " " + reason);
  }

  private void check(boolean holds, String rule) {
    if (!holds) {
      broken.add(rule);
    }
  }
}
