package dev.chatflow.room;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The members of one room on this server and the frames they get, in one order, including earlier
 * frames for members that join or resume.
 *
 * <p>Single writer: only the thread that reads the shard's log shows, ticks and reads the past. Any
 * thread may count the members. Whether a message is shown was decided before, equally on every
 * server; the room only decides which members get it.
 */
public final class Room {

  private final RoomId id;
  private final Shard shard;
  private final LogSpace space;
  private final RoomLog log;
  private final Readers readers;

  // Used only by the reader thread.
  private final Map<UserDevice, CurrentMember> members = new HashMap<>();
  private boolean entered;
  private int counted;

  /** A user's membership on this server, from its JOIN until its LEAVE or a takeover is read. */
  private record CurrentMember(String connectionId, Membership membership) {}

  /** A request to watch a membership whose write a round left in flight. */
  record Raised(Room room, Membership membership) {}

  /**
   * The objects shared by the rooms of one reader thread.
   *
   * @param raised added by any thread, polled by the reader thread; at most one per membership
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

  /**
   * Returns the members on this server: from their JOINs until their LEAVEs are read. Any thread
   * may call.
   */
  public int memberCount() {
    return readers.present();
  }

  /**
   * Shows a message to the members and keeps it for later ones. Waits while the log is full or too
   * many rooms wait for a round.
   */
  void show(RoomEvent event) {
    Boundary before = log.tail();
    switch (event) {
      case RoomEvent.Joined joined -> join(joined);
      case RoomEvent.Left left -> leave(left);
      case RoomEvent.Said said -> append(said.payload());
      case RoomEvent.Signalled signalled -> readers.signal(signalled.payload());
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
    CurrentMember older = members.remove(event.who());
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
    members.put(event.who(), new CurrentMember(event.connectionId(), membership));
  }

  /** Returns the boundary where a member with this request begins to read. */
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

  /**
   * Returns where the history begins, never at the frame named in the request: that would signal
   * that it was found.
   */
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
    CurrentMember member = members.get(event.who());
    if (member != null && member.connectionId().equals(event.connectionId())) {
      members.remove(event.who());
      member.membership().end(log.tail(), event.quiet() ? event.payload().copy() : null);
      if (event.quiet()) {
        readers.round().dirty(member.membership());
      }
    }
  }

  /** Appends for members and for the past; without either, nothing is kept. */
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
   * Returns the newest messages that the room keeps, oldest first.
   *
   * @param most maximum number of messages; all together have at most 64 KiB
   * @param before return messages before the frame with this name; null for the newest
   * @return null if the named frame is not kept
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
   * Discards the JOINs of its members and its past, because entries may be missing. Its members are
   * about to be closed, and their LEAVEs may never be read.
   */
  void forget() {
    members.clear();
    log.forgetPast();
    readers.leave();
    boolean _ = readers.release();
  }

  /** Returns whether the room ever had a member on this server. */
  boolean wasEntered() {
    return entered;
  }

  /** Returns whether it needs no tick until something happens in it. */
  boolean isSettled() {
    return readers.isSettled();
  }

  /** Returns whether the room holds nothing and can be removed. */
  boolean isOver() {
    return readers.isEmpty() && members.isEmpty() && log.isEmpty();
  }

  /** Releases segments and removes finished memberships. */
  void tick() {
    readers.tick();
  }

  /** Returns the change in the number of members since the last call. */
  int countChange() {
    int change = memberCount() - counted;
    counted += change;
    return change;
  }
}
