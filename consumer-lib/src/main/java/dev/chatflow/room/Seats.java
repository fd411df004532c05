package dev.chatflow.room;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The memberships of one room, each with a fixed seat, so that the cost of entering and leaving
 * does not depend on their number.
 *
 * <p>The reader thread assigns and frees seats; any thread may read the array, which has holes.
 * From time to time all memberships move to a new array with as many free seats as taken ones, so a
 * move is amortized over as many arrivals or departures. A thread that still iterates over the old
 * array sees every earlier member.
 */
final class Seats implements Iterable<Membership> {

  private static final int FEW = 4;

  private volatile AtomicReferenceArray<@Nullable Membership> seats =
      new AtomicReferenceArray<>(FEW);

  // Used only by the reader thread.
  private int next;
  private int taken;

  /** Returns all memberships in the order of arrival, with holes; the array may change later. */
  AtomicReferenceArray<@Nullable Membership> all() {
    return seats;
  }

  /** Returns the number of taken seats. Only for the reader thread. */
  int taken() {
    return taken;
  }

  void take(Membership membership) {
    if (next == seats.length()) {
      move();
    }
    sit(membership, next++);
    taken++;
  }

  private void sit(Membership membership, int seat) {
    membership.sit(seat);
    seats.set(seat, membership);
  }

  /** Frees its seat, if it has one. */
  void leave(Membership membership) {
    if (!membership.isSeated()) {
      return;
    }
    seats.set(membership.seat(), null);
    membership.stand();
    taken--;
    if (next > FEW && taken < next / 4) {
      move();
    }
  }

  private void move() {
    AtomicReferenceArray<@Nullable Membership> old = seats;
    int count = next;
    seats = new AtomicReferenceArray<>(FEW + 2 * taken);
    next = 0;
    for (int i = 0; i < count; i++) {
      Membership each = old.get(i);
      if (each != null) {
        sit(each, next++);
      }
    }
  }

  /** Iterates over the current memberships; any thread may call. */
  @Override
  public Iterator<Membership> iterator() {
    return new Walk(seats);
  }

  private static final class Walk implements Iterator<Membership> {
    private final AtomicReferenceArray<@Nullable Membership> all;
    private int at;
    private @Nullable Membership found;

    Walk(AtomicReferenceArray<@Nullable Membership> all) {
      this.all = all;
    }

    @Override
    public boolean hasNext() {
      while (found == null && at < all.length()) {
        found = all.get(at++);
      }
      return found != null;
    }

    @Override
    public Membership next() {
      if (!hasNext() || found == null) {
        throw new NoSuchElementException();
      }
      Membership next = found;
      found = null;
      return next;
    }
  }
}
