package dev.chatflow.room;

import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The rooms of one reader thread, with their shared segments and meters.
 *
 * <p>Only the reader thread shows messages and ticks, at least every 50 ms, also when idle. Any
 * thread may list rooms and read meters.
 *
 * <p>Memory is bounded. When the thread's share of segments is used up, the pasts of its rooms are
 * shortened. If that is not enough, the member that pins most is closed, among those whose sockets
 * hold them up; if there is none, the thread waits for the writers. A room without members is kept
 * as long as it has a past. It holds at least one segment, so the number of these rooms is bounded
 * too.
 */
public final class Rooms {

  private final RoomsConfig config;
  private final SegmentPool pool;
  private final Room.Shared shared;
  private final Map<RoomId, Room> rooms = new ConcurrentHashMap<>();
  private final AtomicIntegerArray members;
  private final AtomicInteger occupied = new AtomicInteger();
  private final Map<SlowCause, LongAdder> slowClosed = new EnumMap<>(SlowCause.class);
  private final LongAdder logWaits = new LongAdder();
  private final LongAdder resumed = new LongAdder();
  private final LongAdder notResumed = new LongAdder();
  private final LongAdder pastFrames = new LongAdder();

  /** The rooms that need ticks because something that happened there is not finished. */
  private final Set<Room> awake = new HashSet<>();

  private final Queue<Room.Raised> raised = new ConcurrentLinkedQueue<>();

  public Rooms(RoomsConfig config, FanOut fanOut) {
    this(config, fanOut, new SegmentPool(config.totalLogBytes()));
  }

  Rooms(RoomsConfig config, FanOut fanOut, SegmentPool pool) {
    this.config = config;
    this.pool = pool;
    this.shared = new Room.Shared(config, fanOut, pool, new Space(), raised);
    this.members = new AtomicIntegerArray(config.shards());
    for (SlowCause cause : SlowCause.values()) {
      slowClosed.put(cause, new LongAdder());
    }
  }

  // --- called by the reader thread

  /**
   * Shows a message in its room, see {@link Room#show}. A message for a room without members on
   * this server is dropped, unless rooms keep a past.
   */
  public void show(RoomId id, RoomEvent event) {
    Room room = needsRoom(event) ? room(id) : rooms.get(id);
    if (room != null) {
      awake.add(room);
      room.show(event);
    }
  }

  private boolean needsRoom(RoomEvent event) {
    return switch (event) {
      case RoomEvent.Joined joined when joined.newcomer() != null -> true;
      case RoomEvent.Signalled _ -> false;
      default -> config.pastBytes() > 0;
    };
  }

  /** Returns the room with this id, created if necessary. It is valid until the next tick. */
  Room room(RoomId id) {
    Room room = rooms.get(id);
    if (room == null) {
      room = new Room(id, shared);
      rooms.put(id, room);
    }
    awake.add(room);
    return room;
  }

  /**
   * Returns the newest messages that a room keeps, see {@link Room#textsBefore}; an empty list for
   * an unknown room.
   */
  public @Nullable List<String> textsBefore(RoomId id, int most, @Nullable FrameName before) {
    Room room = rooms.get(id);
    if (room == null) {
      return before == null ? List.of() : null;
    }
    return room.textsBefore(most, before);
  }

  /**
   * Does the periodic work of rooms in which something happened: releases segments, removes
   * finished memberships and empty rooms, closes members beyond the send deadline, counts members.
   */
  public void tick() {
    for (Room.Raised each = raised.poll(); each != null; each = raised.poll()) {
      each.room().readers().watch(each.membership());
      awake.add(each.room());
    }
    for (Iterator<Room> each = awake.iterator(); each.hasNext(); ) {
      Room room = each.next();
      room.tick();
      count(room);
      if (room.isSettled()) {
        each.remove();
        removeIfOver(room);
      }
    }
  }

  private void count(Room room) {
    int change = room.countChange();
    if (change != 0) {
      members.addAndGet(room.shard().index(), change);
      int now = room.memberCount();
      occupied.addAndGet(now == 0 ? -1 : now == change ? 1 : 0);
    }
  }

  private void removeIfOver(Room room) {
    if (room.isOver()) {
      rooms.remove(room.id(), room);
    }
  }

  /**
   * Discards the JOINs of a shard's members and the pasts of its rooms, because entries may be
   * missing.
   */
  public void forget(Shard shard) {
    for (Room room : rooms.values()) {
      if (room.shard().equals(shard)) {
        room.forget();
        awake.add(room);
      }
    }
  }

  /** The operations of the shared space. */
  private final class Space implements LogSpace {

    @Override
    public void free() {
      if (isReclaimed() || arePastsShortened()) {
        return;
      }
      Membership slowest = slowest();
      if (slowest != null) {
        closeSlow(slowest, SlowCause.SHARE_USED_UP);
      } else {
        awaitWriters();
      }
    }

    /**
     * Waits for the writers: no socket is at fault, the rounds have not reached the members that
     * pin.
     */
    private void awaitWriters() {
      Room waiting = null;
      for (Room room : rooms.values()) {
        if (room.readers().isAnyReading()) {
          room.readers().round().dirty();
          waiting = room;
        }
      }
      if (waiting == null) {
        Thread.onSpinWait(); // a closed member's write is being prepared; nothing else pins
      } else {
        boolean _ = waiting.readers().awaitRelease(() -> slowest() != null || isReclaimed());
      }
    }

    private boolean isReclaimed() {
      boolean any = false;
      for (Room room : rooms.values()) {
        any |= room.readers().reclaim();
      }
      return any;
    }

    /**
     * Halves the pasts of all rooms until an eighth of the share is free. Pasts of rooms that never
     * had a member on this server shrink twice as fast.
     */
    private boolean arePastsShortened() {
      long before = pool.available();
      long longest =
          rooms.values().stream().mapToLong(each -> each.log().pastHeld()).max().orElse(0);
      for (long bytes = longest / 2; pool.isShort() && bytes > 0; bytes /= 2) {
        for (Room room : rooms.values()) {
          room.readers().shorten(room.wasEntered() ? bytes : bytes / 4);
          if (room.isOver()) {
            awake.add(room);
          }
        }
      }
      return pool.available() > before;
    }

    private @Nullable Membership slowest() {
      Membership slowest = null;
      long most = 0;
      for (Room room : rooms.values()) {
        Membership candidate = room.readers().slowest();
        if (candidate != null) {
          long pins = room.log().tail().position() - candidate.position();
          if (pins > most) {
            slowest = candidate;
            most = pins;
          }
        }
      }
      return slowest;
    }

    @Override
    public void closeSlow(Membership member, SlowCause cause) {
      adder(cause).increment();
      member.drop(CloseReason.SLOW_CONSUMER);
    }

    @Override
    public void countResume(boolean found) {
      (found ? resumed : notResumed).increment();
    }

    @Override
    public void countPast(long frames) {
      pastFrames.add(frames);
    }

    @Override
    public void countWait() {
      logWaits.increment();
    }
  }

  // --- called by any thread

  /** Returns a live view of all rooms, including those without members. */
  public Collection<Room> all() {
    return Collections.unmodifiableCollection(rooms.values());
  }

  /** Returns the number of rooms with members at the last tick. */
  public int occupied() {
    return occupied.get();
  }

  /** Returns the number of members at the last tick. */
  public int memberCount() {
    return IntStream.range(0, members.length()).map(members::get).sum();
  }

  /** Returns the number of members in a shard's rooms at the last tick. */
  public int memberCount(Shard shard) {
    return members.get(shard.index());
  }

  /** Returns whether every open member has been sent everything appended so far. */
  public boolean areCaughtUp() {
    return rooms.values().stream().allMatch(room -> room.readers().areCaughtUp());
  }

  /** Returns the log memory in use, in bytes. */
  public long logBytes() {
    return pool.usedBytes();
  }

  /** Returns the number of members closed as slow consumers. */
  public long slowClosed() {
    return slowClosed.values().stream().mapToLong(LongAdder::sum).sum();
  }

  public long slowClosed(SlowCause cause) {
    return adder(cause).sum();
  }

  /** Returns the number of resumed members that got everything from the last frame they had. */
  public long resumed() {
    return resumed.sum();
  }

  /** Returns the number of members that named a frame that was not available. */
  public long notResumed() {
    return notResumed.sum();
  }

  /** Returns the number of past frames shown to joining members. */
  public long pastFrames() {
    return pastFrames.sum();
  }

  /** Returns how often a full room log made the reader thread wait. */
  public long logWaits() {
    return logWaits.sum();
  }

  private LongAdder adder(SlowCause cause) {
    LongAdder adder = slowClosed.get(cause);
    if (adder == null) {
      throw new IllegalArgumentException("no such cause: " + cause);
    }
    return adder;
  }
}
