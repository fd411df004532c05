package dev.chatflow.room;

import org.jspecify.annotations.Nullable;

/**
 * How far one reader of a room log is, and the write it has in the air.
 *
 * <p>One writer at a time claims and starts; the write's completion advances, on any thread; the
 * appender reads. While a reader is open, everything from its position on is pinned. When it is
 * closed, only a claimed cursor pins. The order that makes this safe: a writer sets the claim and
 * then asks whether the reader is closed; the appender asks whether it is closed and then reads the
 * claim. All of these are volatile, so one of the two sees the other.
 */
final class Cursor {

  private volatile Boundary position;
  private volatile boolean claimed;
  private volatile @Nullable LogRange inFlight;

  Cursor(Boundary position) {
    this.position = position;
  }

  Boundary position() {
    return position;
  }

  boolean isClaimed() {
    return claimed;
  }

  /** The write in the air; null when there is none, or when its range is just being made. */
  @Nullable LogRange inFlight() {
    return inFlight;
  }

  void claim() {
    claimed = true;
  }

  void unclaim() {
    claimed = false;
  }

  void start(LogRange range) {
    inFlight = range;
  }

  /** The write in the air is done: moves behind its range. */
  void advance(LogRange range) {
    position = range.to();
    inFlight = null;
    claimed = false;
  }
}
