package dev.chatflow.server.simulation.world;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;

/** Simulated time, which jumps to the next event. */
public final class Clock {

  public static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  /** An object that knows when it is due. */
  interface Stepped {
    long dueNanos();

    void step();
  }

  private record Due(long at, long order, Runnable what) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      return at == other.at ? Long.compare(order, other.order) : Long.compare(at, other.at);
    }
  }

  private final PriorityQueue<Due> due = new PriorityQueue<>();
  private final List<Stepped> stepped = new ArrayList<>();
  private long now = 1;
  private long order;

  public long now() {
    return now;
  }

  void add(Stepped one) {
    stepped.add(one);
  }

  void remove(Stepped one) {
    stepped.remove(one);
  }

  /** Schedules an event after this many ms. */
  public void after(long millis, Runnable what) {
    due.add(new Due(now + millis * MILLI, order++, what));
  }

  /** Schedules an event at a time. */
  public void at(long nanos, Runnable what) {
    due.add(new Due(Math.max(now, nanos), order++, what));
  }

  /** Returns whether nothing is scheduled. */
  boolean isQuiet() {
    return due.isEmpty();
  }

  /** Lets time pass up to a moment. */
  void runUntil(long end) {
    for (long next = next(); next <= end; next = next()) {
      now = Math.max(now, next);
      while (!due.isEmpty() && due.element().at() <= now) {
        due.remove().what().run();
      }
      stepAll();
    }
    now = Math.max(now, end);
  }

  private long next() {
    long next = due.isEmpty() ? Long.MAX_VALUE : due.element().at();
    for (int i = 0; i < stepped.size(); i++) {
      next = Math.min(next, stepped.get(i).dueNanos());
    }
    return next;
  }

  private void stepAll() {
    for (int i = 0; i < stepped.size(); i++) {
      if (stepped.get(i).dueNanos() <= now) {
        stepped.get(i).step();
      }
    }
  }
}
