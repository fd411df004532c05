package dev.chatflow.server.publish;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The numbers of a lane: which were assigned, which are confirmed, which were read back, and which
 * may be named.
 *
 * <p>A number may be named as read if its entry was published only once: then it is in the log only
 * once, at the same position for all readers.
 *
 * <p>The lane's thread begins and confirms, the reader's thread reads; any thread may query.
 * Bounded by the bytes in flight, and by beacons, of which one is built every few seconds.
 */
final class LaneBook {

  /** An entry that was built but not both confirmed and read back. */
  private static final class Out {
    final LaneEntry entry;
    int attempts;
    boolean confirmed;
    boolean read;
    boolean forgotten;
    long confirmedNanos;
    long publishedNanos;

    Out(LaneEntry entry) {
      this.entry = entry;
    }
  }

  // Guarded by this, in the order of their numbers.
  private final ArrayDeque<Out> outs = new ArrayDeque<>();
  private long given;
  private long read;

  private volatile long confirmed;
  private volatile long nameable;

  /** Returns the next number. */
  synchronized long begin() {
    return ++given;
  }

  /** Sets the entry of the number that was begun last. */
  synchronized void built(LaneEntry entry) {
    outs.add(new Out(entry));
  }

  /** Notes that it is published, possibly again. */
  synchronized void published(long number, long nowNanos) {
    for (Out out : outs) {
      if (out.entry.number() == number) {
        out.attempts++;
        out.publishedNanos = nowNanos;
      }
    }
  }

  synchronized void confirmed(long number, long nowNanos) {
    confirmed = number;
    for (Out out : outs) {
      if (out.entry.number() == number) {
        out.confirmed = true;
        out.confirmedNanos = nowNanos;
      }
    }
    settle();
  }

  /** Returns when it was last published, if it is not done. */
  synchronized OptionalLong publishedNanos(long number) {
    return outs.stream()
        .filter(out -> out.entry.number() == number)
        .mapToLong(out -> out.publishedNanos)
        .findFirst();
  }

  /**
   * Notes that all entries up to this number were read back.
   *
   * @return the entries that were not read before
   */
  synchronized List<LaneEntry> readUpTo(long number) {
    List<LaneEntry> fresh = new ArrayList<>();
    for (Out out : outs) {
      if (!out.read && out.entry.number() <= number) {
        out.read = true;
        if (!out.forgotten) {
          fresh.add(out.entry);
        }
      }
    }
    read = Math.max(read, number);
    settle();
    return fresh;
  }

  /** Removes entries that are confirmed and read back; those published only once may be named. */
  private void settle() {
    while (!outs.isEmpty() && outs.peek().confirmed && outs.peek().read) {
      Out done = outs.remove();
      if (mayBeNamed(done)) {
        nameable = done.entry.number();
      }
    }
  }

  private static boolean mayBeNamed(Out out) {
    return out.attempts == 1;
  }

  /**
   * Drops all entries, and stops naming those read before: an entry that names one before a hole of
   * its lane cannot be judged. Numbers continue.
   */
  synchronized List<LaneEntry> forget() {
    List<LaneEntry> unread = new ArrayList<>();
    for (Out out : outs) {
      if (!out.read && !out.forgotten) {
        unread.add(out.entry);
      }
      out.forgotten = true;
      out.attempts++; // never to be named
    }
    outs.removeIf(out -> out.confirmed);
    nameable = 0;
    return unread;
  }

  /** Returns the greatest number assigned. */
  synchronized long given() {
    return given;
  }

  /** Returns the greatest number confirmed by the broker. */
  long confirmed() {
    return confirmed;
  }

  /** Returns the greatest number read back. */
  synchronized long read() {
    return read;
  }

  /** Returns the greatest number that may be named; 0 if there is none. */
  long nameable() {
    return nameable;
  }

  /**
   * Returns for how long the oldest confirmed entry has not been read, in ns; 0 if there is none.
   */
  synchronized long unreadNanos(long nowNanos) {
    for (Out out : outs) {
      if (out.confirmed && !out.read) {
        return Math.max(1, nowNanos - out.confirmedNanos);
      }
    }
    return 0;
  }

  /** Returns whether every entry is done. */
  synchronized boolean isEmpty() {
    return outs.isEmpty();
  }
}
