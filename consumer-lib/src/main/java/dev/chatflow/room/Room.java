package dev.chatflow.room;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The members of one room on this server and what they get, in one order; and what was said last,
 * for those who come later or come back.
 *
 * <p>Single writer: the thread that reads its shard's log alone shows, ticks and looks into the
 * past. Any thread may count the members. What is shown was decided before, alike on every server:
 * a room decides nothing but who gets it.
 */
public final class Room {

  private final RoomId id;
  private final Shard shard;
  private final LogSpace space;
  private final RoomLog log;
  private final Readers readers;

  // The consumer thread's.
  private final Map<String, Stay> stays = new HashMap<>();
  private boolean entered;
  private int counted;

  /** A user's membership on this server, from its JOIN until its LEAVE or a takeover is read. */
  private record Stay(String connectionId, Membership membership) {}

  /** A round left the write of a membership in the air: it is to be looked after. */
  record Raised(Room room, Membership membership) {}

  /**
   * What the rooms of one consumer thread share.
   *
   * @param raised by any thread, for the consumer thread; at most one for each membership
   */
  record Shared(
      RoomsConfig config, FanOut fanOut, SegmentPool pool, LogSpace space, Queue<Raised> raised) {}

  Room(RoomId id, Shared shared) {
    this.id = id;
    this.shard = Shard.of(id, shared.config().shards());
    this.space = shared.space();
    this.log =
        new RoomLog(shared.pool(), shared.config().roomLogBytes(), shared.config().pastBytes());
    this.readers =
        new Readers(
            log,
            shared.fanOut(),
            shared.config(),
            space,
            each -> shared.raised().add(new Raised(this, each)));
  }

  public RoomId id() {
    return id;
  }

  /** Its members on this server: from their JOINs until their LEAVEs are read. By any thread. */
  public int memberCount() {
    return readers.present();
  }

  /**
   * Shows a message to the members, and keeps it for those who come; may wait while the log is full
   * or too many rooms wait for their round.
   */
  void show(RoomEvent event) {
    Boundary before = log.tail();
    switch (event) {
      case RoomEvent.Joined joined -> join(joined);
      case RoomEvent.Left left -> leave(left);
      case RoomEvent.Said said -> append(said.payload());
    }
    if (before.isBefore(log.tail()) && !readers.isEmpty()) {
      readers.round().appended();
    }
  }

  private void join(RoomEvent.Joined event) {
    endOlder(event);
    RoomEvent.Newcomer newcomer = event.newcomer();
    if (newcomer != null) {
      begin(event, newcomer);
    } else if (!event.quiet()) {
      append(event.payload());
    }
  }

  private void endOlder(RoomEvent.Joined event) {
    Stay older = stays.remove(event.userId());
    if (older == null) {
      return;
    }
    if (older.connectionId().equals(event.connectionId())) {
      older.membership().end(log.tail(), null);
    } else {
      older.membership().drop(CloseReason.TAKEN_OVER);
    }
  }

  private void begin(RoomEvent.Joined event, RoomEvent.Newcomer newcomer) {
    byte[] privateFrame = event.quiet() ? event.payload().copy() : null;
    Membership membership = readers.begin(newcomer.member(), begin(newcomer.past()), privateFrame);
    entered = true;
    if (event.quiet()) {
      readers.round().dirty(membership);
    } else {
      fill(event.payload());
    }
    stays.put(event.userId(), new Stay(event.connectionId(), membership));
  }

  /** Where a member begins to read that asks for this. */
  private Boundary begin(Past asked) {
    FrameName after = asked.after();
    Boundary found = after == null ? null : log.find(after);
    if (after != null) {
      space.countResume(found != null);
    }
    Boundary begin = found == null ? history(asked) : found;
    space.countPast(log.tail().frames() - begin.frames());
    return begin;
  }

  /** Never begins with a frame of the name that was asked for: that would say it was found. */
  private Boundary history(Past asked) {
    Boundary begin = log.last(asked.history(), log.tail());
    FrameName after = asked.after();
    while (after != null && begin.isBefore(log.tail()) && after.isOf(log.text(begin))) {
      begin = log.behind(begin);
    }
    return begin;
  }

  private void leave(RoomEvent.Left event) {
    if (!event.quiet()) {
      append(event.payload());
    }
    Stay stay = stays.get(event.userId());
    if (stay != null && stay.connectionId().equals(event.connectionId())) {
      stays.remove(event.userId());
      stay.membership().end(log.tail(), event.quiet() ? event.payload().copy() : null);
      if (event.quiet()) {
        readers.round().dirty(stay.membership());
      }
    }
  }

  /** Appends for those who are here, and for those who come; without both nothing is kept. */
  private void append(Payload payload) {
    if (!readers.isEmpty() || log.keepsPast()) {
      fill(payload);
    }
  }

  private void fill(Payload payload) {
    RoomLog.Full full = log.append(payload);
    while (full != RoomLog.Full.NO) {
      if (full == RoomLog.Full.LOG) {
        readers.makeSpace();
      } else {
        space.free();
      }
      full = log.append(payload);
    }
  }

  /**
   * The newest messages that it keeps, oldest first.
   *
   * @param most how many at most; besides, 64 KiB in all
   * @param before end before the frame of this name; null for the end of all
   * @return null when that frame is not kept
   */
  public @Nullable List<String> textsBefore(int most, @Nullable FrameName before) {
    Boundary end = before == null ? log.tail() : log.find(before);
    return end == null ? null : log.texts(log.last(most, end), end);
  }

  // --- for Rooms

  Shard shard() {
    return shard;
  }

  Readers readers() {
    return readers;
  }

  RoomLog log() {
    return log;
  }

  /**
   * What is known of its members' JOINs and of its past counts no more: entries may be missing. Its
   * members are about to be closed, and their LEAVEs may never be read.
   */
  void forget() {
    stays.clear();
    log.forgetPast();
    readers.leave();
    boolean _ = readers.release();
  }

  /** Whether somebody was a member here since the room was made. */
  boolean wasEntered() {
    return entered;
  }

  /** Whether time changes nothing here: it needs no ticks before something happens in it. */
  boolean isSettled() {
    return readers.isSettled();
  }

  /** Whether nothing is known of it. */
  boolean isOver() {
    return readers.isEmpty() && stays.isEmpty() && log.isEmpty();
  }

  /** Releases and removes what is over. */
  void tick() {
    readers.tick();
  }

  /** By how much its members are more than when this was last asked. */
  int countChange() {
    int change = memberCount() - counted;
    counted += change;
    return change;
  }
}
