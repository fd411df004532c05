package dev.chatflow.server.publish;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The numbers of a lane: which were given, which the broker has, which were read back, and which
 * may be named.
 *
 * <p>A number may be named, as having been read, when its entry was published only once: then it
 * stands in the log once, and its place is the same for everybody.
 *
 * <p>The lane's thread begins and confirms, the reader's thread reads; any thread asks. Bounded by
 * the bytes that may be out, and by beacons, of which one is built every few seconds.
 */
final class LaneBook {

  /** An entry that was built and not both confirmed and read back. */
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

  /** The next number. */
  synchronized long begin() {
    return ++given;
  }

  /** The entry of the number that was begun last. */
  synchronized void built(LaneEntry entry) {
    outs.add(new Out(entry));
  }

  /** It is published, once more. */
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

  /** When it was published last, while it is out. */
  synchronized OptionalLong publishedNanos(long number) {
    return outs.stream()
        .filter(out -> out.entry.number() == number)
        .mapToLong(out -> out.publishedNanos)
        .findFirst();
  }

  /**
   * All up to this number was read back.
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

  /** What is confirmed and read back is done; what was published once may be named. */
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
   * Nothing that is out will be known any more, and what was read before is named no more: an entry
   * that names what stands before a hole of its lane can be judged by nobody. Numbers go on.
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

  /** The greatest number that was given. */
  synchronized long given() {
    return given;
  }

  /** The greatest number that the broker has confirmed. */
  long confirmed() {
    return confirmed;
  }

  /** The greatest number that was read back. */
  synchronized long read() {
    return read;
  }

  /** The greatest number that may be named; 0 when there is none. */
  long nameable() {
    return nameable;
  }

  /** For how long the oldest entry that is confirmed has not been read, in ns; 0 for none. */
  synchronized long unreadNanos(long nowNanos) {
    for (Out out : outs) {
      if (out.confirmed && !out.read) {
        return Math.max(1, nowNanos - out.confirmedNanos);
      }
    }
    return 0;
  }

  /** Whether nothing is out. */
  synchronized boolean isEmpty() {
    return outs.isEmpty();
  }
}
