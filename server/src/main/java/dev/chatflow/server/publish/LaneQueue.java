package dev.chatflow.server.publish;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The accepted lines of a lane: those that wait, and the bytes of those that are not back.
 *
 * <p>Any thread offers. Bounded in bytes with the cooperation of its senders: while it is open
 * every offer is accepted, but above the bound the result says so, and the sender offers nothing
 * more until it is called back. The bound is exceeded by at most what each sender had in flight.
 */
final class LaneQueue {

  private final long capacityBytes;
  private final LaneBook book;

  // Guarded by this.
  private final ArrayDeque<WaitingLine> lines = new ArrayDeque<>();
  private final Set<LaneSender> senders = new LinkedHashSet<>();
  private long bytes;
  private boolean open;

  LaneQueue(long capacityBytes, LaneBook book) {
    this.capacityBytes = capacityBytes;
    this.book = book;
  }

  /**
   * Accepts a line.
   *
   * @param line builds it, given the number it may name; called within the lane's lock, so that of
   *     two lines the one stamped first is first
   */
  synchronized OfferResult offer(LongFunction<WaitingLine> line, LaneSender sender) {
    if (!open) {
      senders.add(sender);
      return OfferResult.NOT_NOW;
    }
    WaitingLine taken = line.apply(book.nameable());
    lines.add(taken);
    bytes += taken.bytes().length;
    if (bytes <= capacityBytes) {
      return OfferResult.ACCEPTED;
    }
    senders.add(sender);
    return OfferResult.ACCEPTED_AND_FULL;
  }

  synchronized @Nullable WaitingLine peek() {
    return lines.peek();
  }

  /** Takes the oldest line for a flight; its bytes count until they are {@link #back}. */
  synchronized @Nullable WaitingLine poll() {
    return lines.poll();
  }

  /** Releases this many bytes, which are in the log or given up. */
  void back(long count) {
    synchronized (this) {
      bytes -= count;
    }
    callFreed();
  }

  /** Accepts lines from now on. */
  void open() {
    synchronized (this) {
      open = true;
    }
    callFreed();
  }

  /** Stops accepting lines; waiting ones stay. */
  synchronized void close() {
    open = false;
  }

  /** Stops accepting lines, and drops the waiting ones. */
  synchronized List<WaitingLine> drop() {
    open = false;
    List<WaitingLine> dropped = List.copyOf(lines);
    lines.clear();
    for (WaitingLine each : dropped) {
      bytes -= each.bytes().length;
    }
    return dropped;
  }

  private void callFreed() {
    List<LaneSender> freed;
    synchronized (this) {
      if (!open || senders.isEmpty() || 2 * bytes >= capacityBytes) {
        return;
      }
      freed = new ArrayList<>(senders);
      senders.clear();
    }
    freed.forEach(LaneSender::laneIsFree);
  }

  synchronized boolean isOpen() {
    return open;
  }

  synchronized boolean isEmpty() {
    return lines.isEmpty();
  }

  synchronized int size() {
    return lines.size();
  }

  /** Returns the bytes of lines that wait or are not back. */
  synchronized long bytes() {
    return bytes;
  }
}
