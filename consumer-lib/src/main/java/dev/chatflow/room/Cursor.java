package dev.chatflow.room;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How far one reader of a room log is, and the write it has in the air.
 *
 * <p>One writer at a time claims and starts; the write's completion advances, on any thread; the
 * appender asks what is pinned. While a reader is open, everything from its position on is pinned.
 * When it is closed, only a claimed cursor pins. The order that makes this safe: a writer sets the
 * claim and then asks whether the reader is closed; the appender asks whether it is closed and then
 * reads the claim. All of these are volatile, so one of the two sees the other.
 */
public final class Cursor {

  /** What a cursor pins that needs nothing. */
  public static final long NOTHING = Long.MAX_VALUE;

  private final BooleanSupplier closed;

  private volatile Boundary position;
  private volatile boolean claimed;
  private volatile @Nullable LogRange inFlight;

  /**
   * @param closed whether the reader is closed: once true never false, a volatile read
   */
  public Cursor(Boundary position, BooleanSupplier closed) {
    this.position = position;
    this.closed = closed;
  }

  public Boundary position() {
    return position;
  }

  /** Whether a write is in the air or being made. */
  public boolean isClaimed() {
    return claimed;
  }

  /** The write in the air; null when there is none, or when its range is just being made. */
  public @Nullable LogRange inFlight() {
    return inFlight;
  }

  /** The first position that must not be released; {@link #NOTHING} when there is none. */
  public long pinned() {
    if (closed.getAsBoolean() && !claimed) { // in this order, see above
      return NOTHING;
    }
    return position.position();
  }

  /** Pins what lies behind the position for one write; false when the reader is closed. */
  public boolean claim() {
    claimed = true;
    if (closed.getAsBoolean()) {
      claimed = false;
      return false;
    }
    return true;
  }

  /** The claimed write is this range. */
  public void start(LogRange range) {
    inFlight = range;
  }

  /** The write in the air is done: moves behind its range. */
  public void advance(LogRange range) {
    position = range.to();
    inFlight = null;
    claimed = false;
  }
}
