package dev.chatflow.room;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The position of one reader in a room log, and its write in flight.
 *
 * <p>One writer at a time claims and starts a write; its completion advances the cursor, on any
 * thread; the appender reads what is pinned. While a reader is open, everything from its position
 * on is pinned. Once it is closed, only a claimed cursor pins. The order of accesses makes this
 * safe: a writer sets the claim and then checks whether the reader is closed; the appender checks
 * whether it is closed and then reads the claim. All these fields are volatile, so one of the two
 * sees the other's change.
 */
public final class Cursor {

  /** The value of {@link #pinned} if nothing is pinned. */
  public static final long NOTHING = Long.MAX_VALUE;

  private final BooleanSupplier closed;

  private volatile Boundary position;
  private volatile boolean claimed;
  private volatile @Nullable LogRange inFlight;

  /**
   * @param closed whether the reader is closed: a volatile read that never returns to false
   */
  public Cursor(Boundary position, BooleanSupplier closed) {
    this.position = position;
    this.closed = closed;
  }

  public Boundary position() {
    return position;
  }

  /** Returns whether a write is in flight or being prepared. */
  public boolean isClaimed() {
    return claimed;
  }

  /** Returns the range of the write in flight; null if there is none or it is being prepared. */
  public @Nullable LogRange inFlight() {
    return inFlight;
  }

  /** Returns the first position that must not be released, or {@link #NOTHING}. */
  public long pinned() {
    if (closed.getAsBoolean()
        && !claimed) { // the order of these reads matters, see the class comment
      return NOTHING;
    }
    return position.position();
  }

  /** Pins everything after the position for one write; false if the reader is closed. */
  public boolean claim() {
    claimed = true;
    if (closed.getAsBoolean()) {
      claimed = false;
      return false;
    }
    return true;
  }

  /** Sets the range of the claimed write. */
  public void start(LogRange range) {
    inFlight = range;
  }

  /** Completes the write in flight: moves to the end of its range. */
  public void advance(LogRange range) {
    position = range.to();
    inFlight = null;
    claimed = false;
  }
}
