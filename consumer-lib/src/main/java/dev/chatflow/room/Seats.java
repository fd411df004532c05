package dev.chatflow.room;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The memberships of one room, each in a seat that it keeps: entering and leaving cost the same
 * however many there are.
 *
 * <p>The consumer thread takes and leaves seats; any thread looks at the array, which has holes.
 * Now and then all move to a new array, which then has as many free seats as taken ones: so a move
 * is paid for by as many who came, or left, since the last one. Who walks the old array meanwhile
 * meets everybody who was there.
 */
final class Seats implements Iterable<Membership> {

  private static final int FEW = 4;

  private volatile AtomicReferenceArray<@Nullable Membership> seats =
      new AtomicReferenceArray<>(FEW);

  // The consumer thread's.
  private int next;
  private int taken;

  /** All, in the order in which they came, with holes; as it is now and changed meanwhile. */
  AtomicReferenceArray<@Nullable Membership> all() {
    return seats;
  }

  /** How many are taken; for the consumer thread. */
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

  /** Leaves its seat, if it has one. */
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

  /** Everybody who sits there now; by any thread. */
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
