package dev.chatflow.room;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A sink that keeps everything written to it. It completes each write at once or, when held, on
 * request.
 *
 * <p>Thread-safe. Fails on a second write in flight.
 */
public final class FakeSink implements FrameSink {

  private final List<String> texts = new ArrayList<>();
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private int writes;
  private boolean held;
  private boolean broken;
  private @Nullable LogRange range;
  private @Nullable LogRange lost;
  private @Nullable Runnable done;

  private volatile boolean closed;

  @Override
  public void write(LogRange range, Runnable done) {
    if (take(range, done)) {
      done.run();
    }
  }

  private synchronized boolean take(LogRange next, Runnable completion) {
    if (done != null) {
      throw new IllegalStateException("a write is in flight");
    }
    writes++;
    if (broken) {
      broken = false;
      throw new IllegalStateException("broken sink");
    }
    if (held) {
      range = next;
      done = completion;
      return false;
    }
    keep(next);
    return true;
  }

  private void keep(LogRange written) {
    written.forEachText(texts::add);
    for (ByteBuffer buffer : written.buffers()) {
      byte[] part = new byte[buffer.remaining()];
      buffer.get(part);
      bytes.writeBytes(part);
    }
  }

  /** Adds a text that only its member gets, between two writes. */
  synchronized void sentPrivately(byte[] frame) {
    if (done != null) {
      throw new IllegalStateException("a write is in flight");
    }
    texts.add(new String(frame, StandardCharsets.UTF_8));
  }

  /** Keeps writes in flight from now on, until {@link #complete}. */
  public synchronized FakeSink hold() {
    held = true;
    return this;
  }

  /** Makes the next write throw, against the contract. */
  public synchronized void breakNextWrite() {
    broken = true;
  }

  /** Completes the write in flight, and each later one at once. */
  public void release() {
    synchronized (this) {
      held = false;
    }
    if (isWriting()) {
      complete();
    }
  }

  /** Completes the write in flight, whose bytes are read only now. */
  public void complete() {
    settle(true);
  }

  /** Ends the write in flight without reading its bytes, like a closed sink. */
  public void fail() {
    settle(false);
  }

  private void settle(boolean whole) {
    Runnable completion;
    synchronized (this) {
      if (done == null || range == null) {
        throw new IllegalStateException("no write is in flight");
      }
      if (whole) {
        keep(range);
      } else {
        lost = range;
      }
      completion = done;
      done = null;
      range = null;
    }
    completion.run();
  }

  /** Returns the texts of the failed write, as its transport would read them now. */
  public synchronized List<String> lostTexts() {
    List<String> read = new ArrayList<>();
    if (lost != null) {
      lost.forEachText(read::add);
    }
    return read;
  }

  public synchronized boolean isWriting() {
    return done != null;
  }

  public void close() {
    closed = true;
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  /** Returns the text of each frame that was written, in order. */
  public synchronized List<String> texts() {
    return List.copyOf(texts);
  }

  /** Returns all bytes that were written, including frame headers. */
  public synchronized byte[] bytes() {
    return bytes.toByteArray();
  }

  /** Returns the number of writes begun. */
  public synchronized int writes() {
    return writes;
  }
}
