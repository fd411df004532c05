package dev.chatflow.room;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What the rooms of one consumer thread remember of each user: the ids of the last 1,024 TEXTs, as
 * 64-bit hashes, and the greatest JOIN seen, both for two minutes.
 *
 * <p>Used by the consumer thread alone; {@link #evictions} by any thread. Bounded in hashes; when
 * full, the user that was heard of longest ago is forgotten and counted.
 */
final class RecentMessages {

  static final int IDS_PER_USER = 1024;
  static final Duration MEMORY = Duration.ofMinutes(2);

  /** A user weighs at least this many hashes. */
  static final int SMALLEST = 8;

  private record Key(RoomId room, int userId) {}

  private final int capacityIds;
  private final LinkedHashMap<Key, Trace> traces = new LinkedHashMap<>(16, 0.75f, true);
  private int ids;

  private volatile long evictions;

  RecentMessages(int capacityIds) {
    if (capacityIds < IDS_PER_USER) {
      throw new IllegalArgumentException(
          "must hold the " + IDS_PER_USER + " ids of one user, not " + capacityIds);
    }
    this.capacityIds = capacityIds;
  }

  /** Remembers the id of a TEXT; false when it is remembered already. */
  boolean remember(RoomId room, int userId, long idHash, long nowMillis) {
    Trace trace = trace(room, userId, nowMillis);
    if (trace.contains(idHash, nowMillis)) {
      return false;
    }
    int before = trace.weight();
    trace.add(idHash, nowMillis);
    ids += trace.weight() - before;
    evict();
    return true;
  }

  /** Remembers a JOIN, which must not be smaller than the remembered one. */
  void joined(RoomId room, int userId, JoinStamp stamp, long nowMillis) {
    trace(room, userId, nowMillis).newestJoin = stamp;
    evict();
  }

  /** The greatest JOIN remembered of the user in the room, or null. */
  @Nullable JoinStamp newestJoin(RoomId room, int userId) {
    Trace trace = traces.get(new Key(room, userId));
    return trace == null ? null : trace.newestJoin;
  }

  /** JOINs in these rooms may have passed by: none that is remembered is the newest for sure. */
  void forgetJoins(Predicate<RoomId> rooms) {
    traces.forEach((key, trace) -> {
      if (rooms.test(key.room())) {
        trace.newestJoin = null;
      }
    });
  }

  private Trace trace(RoomId room, int userId, long nowMillis) {
    Key key = new Key(room, userId);
    Trace trace = traces.get(key);
    if (trace == null) {
      trace = new Trace();
      ids += trace.weight();
      traces.put(key, trace);
    }
    trace.heardMillis = nowMillis;
    return trace;
  }

  private void evict() {
    while (ids > capacityIds) {
      Iterator<Trace> oldest = traces.values().iterator();
      ids -= oldest.next().weight();
      oldest.remove();
      countEviction();
    }
  }

  /** Forgets the users not heard of for two minutes. */
  void expire(long nowMillis) {
    Iterator<Trace> oldest = traces.values().iterator();
    while (oldest.hasNext()) {
      Trace trace = oldest.next();
      if (nowMillis - trace.heardMillis < MEMORY.toMillis()) {
        return;
      }
      ids -= trace.weight();
      oldest.remove();
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
  private void countEviction() {
    evictions++;
  }

  /** How many users were forgotten for lack of space. */
  long evictions() {
    return evictions;
  }

  int users() {
    return traces.size();
  }

  /** The memory of one user in one room: a ring of hashes that grows to {@link #IDS_PER_USER}. */
  private static final class Trace {

    private long[] hashes = new long[SMALLEST];

    /** When each was remembered: the low 32 bits, compared by difference. */
    private int[] millis = new int[SMALLEST];

    private int oldest;
    private int size;
    private long heardMillis;
    private @Nullable JoinStamp newestJoin;

    int weight() {
      return hashes.length;
    }

    /** Scans at most 1,024 longs: a fraction of a microsecond. */
    boolean contains(long hash, long nowMillis) {
      for (int i = 0; i < size; i++) {
        if (hashes[i] == hash && isFresh(i, nowMillis)) {
          return true;
        }
      }
      return false;
    }

    private boolean isFresh(int index, long nowMillis) {
      return (int) nowMillis - millis[index] < MEMORY.toMillis();
    }

    void add(long hash, long nowMillis) {
      if (size == hashes.length && size < IDS_PER_USER && isFresh(oldest, nowMillis)) {
        grow();
      }
      int index = size < hashes.length ? size++ : oldest;
      hashes[index] = hash;
      millis[index] = (int) nowMillis;
      if (index == oldest && size == hashes.length) {
        oldest = (oldest + 1) % size;
      }
    }

    private void grow() {
      long[] moreHashes = new long[2 * size];
      int[] moreMillis = new int[2 * size];
      int tail = size - oldest;
      System.arraycopy(hashes, oldest, moreHashes, 0, tail);
      System.arraycopy(hashes, 0, moreHashes, tail, oldest);
      System.arraycopy(millis, oldest, moreMillis, 0, tail);
      System.arraycopy(millis, 0, moreMillis, tail, oldest);
      hashes = moreHashes;
      millis = moreMillis;
      oldest = 0;
    }
  }
}
