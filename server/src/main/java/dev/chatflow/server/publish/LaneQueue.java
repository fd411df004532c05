package dev.chatflow.server.publish;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a lane that were taken: those that wait, and how many bytes are not back.
 *
 * <p>Any thread offers. Bounded in bytes by its senders' manners: while it is open an offer is
 * accepted, but above the bound it says so, and who offered offers no more before it was called
 * back. What exceeds the bound is at most what each sender had under way.
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
   * Takes a line.
   *
   * @param line makes it, given what it may name; called within the lane's lock, so that of two
   *     lines the one that was stamped first stands first
   */
  synchronized Offer offer(LongFunction<WaitingLine> line, LaneSender sender) {
    if (!open) {
      senders.add(sender);
      return Offer.NOT_NOW;
    }
    WaitingLine taken = line.apply(book.nameable());
    lines.add(taken);
    bytes += taken.bytes().length;
    if (bytes <= capacityBytes) {
      return Offer.ACCEPTED;
    }
    senders.add(sender);
    return Offer.ACCEPTED_AND_FULL;
  }

  synchronized @Nullable WaitingLine peek() {
    return lines.peek();
  }

  /** The oldest line goes into the air; its bytes count until they are {@link #back}. */
  synchronized @Nullable WaitingLine poll() {
    return lines.poll();
  }

  /** So many bytes are in the log, or given up. */
  void back(long count) {
    synchronized (this) {
      bytes -= count;
    }
    callFreed();
  }

  /** Takes lines from now on. */
  void open() {
    synchronized (this) {
      open = true;
    }
    callFreed();
  }

  /** Takes no more lines; what waits stays. */
  synchronized void close() {
    open = false;
  }

  /** Takes no more lines, and gives up what waits. */
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

  /** Bytes of lines that wait or are not back. */
  synchronized long bytes() {
    return bytes;
  }
}
