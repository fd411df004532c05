package dev.chatflow.room;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A sink that keeps what it is given: by itself it completes each write at once; held, it completes
 * when told.
 *
 * <p>Any thread may call. Fails on a second write in the air.
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
      throw new IllegalStateException("a write is in the air");
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

  /** Text that its member alone is shown, between two writes. */
  synchronized void sentPrivately(byte[] frame) {
    if (done != null) {
      throw new IllegalStateException("a write is in the air");
    }
    texts.add(new String(frame, StandardCharsets.UTF_8));
  }

  /** From now on a write stays in the air until {@link #complete}. */
  public synchronized FakeSink hold() {
    held = true;
    return this;
  }

  /** The next write throws, against the contract. */
  public synchronized void breakNextWrite() {
    broken = true;
  }

  /** Completes the write in the air and each later one at once. */
  public void release() {
    synchronized (this) {
      held = false;
    }
    if (isWriting()) {
      complete();
    }
  }

  /** Completes the write in the air; its bytes are read only now. */
  public void complete() {
    settle(true);
  }

  /** Ends the write in the air without reading its bytes, as a sink that was closed does. */
  public void fail() {
    settle(false);
  }

  private void settle(boolean whole) {
    Runnable completion;
    synchronized (this) {
      if (done == null || range == null) {
        throw new IllegalStateException("no write is in the air");
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

  /** The texts of the write that failed, as its transport would read them now. */
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

  /** The text of each frame that was written, in order. */
  public synchronized List<String> texts() {
    return List.copyOf(texts);
  }

  /** All bytes that were written, frame headers included. */
  public synchronized byte[] bytes() {
    return bytes.toByteArray();
  }

  /** Writes begun. */
  public synchronized int writes() {
    return writes;
  }
}
