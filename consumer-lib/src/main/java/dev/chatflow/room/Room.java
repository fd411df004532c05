package dev.chatflow.room;

import dev.chatflow.room.fanout.FanOut;
import dev.chatflow.room.log.Payload;
import dev.chatflow.room.log.RoomLog;
import dev.chatflow.room.log.SegmentPool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The members of one room on this server and what they get, in one order.
 *
 * <p>Single writer: the thread that reads its shard's log alone shows and ticks. Any thread may
 * list the members. What is shown was decided before, alike on every server: a room decides nothing
 * but who gets it.
 */
public final class Room {

  private final RoomId id;
  private final Shard shard;
  private final LogSpace space;
  private final RoomLog log;
  private final Readers readers;

  // The consumer thread's.
  private final Map<Integer, Stay> stays = new HashMap<>();

  /** A user's membership on this server, from its JOIN until its LEAVE or a takeover is read. */
  private record Stay(String session, Membership membership) {}

  /** What the rooms of one consumer thread share. */
  record Shared(RoomsConfig config, FanOut fanOut, SegmentPool pool, LogSpace space) {}

  Room(RoomId id, Shared shared) {
    this.id = id;
    this.shard = Shard.of(id, shared.config().shards());
    this.space = shared.space();
    this.log = new RoomLog(shared.pool(), shared.config().roomLogBytes());
    this.readers = new Readers(log, shared.fanOut(), shared.config(), space);
  }

  public RoomId id() {
    return id;
  }

  /** The members whose connections are open, in the order of their JOINs. */
  public List<Member.View> members() {
    List<Member.View> views = new ArrayList<>();
    for (Membership each : readers.readers()) {
      if (each.isOpen()) {
        views.add(each.view());
      }
    }
    return views;
  }

  public int memberCount() {
    int count = 0;
    for (Membership each : readers.readers()) {
      count += each.isOpen() ? 1 : 0;
    }
    return count;
  }

  /**
   * Shows a message to the members; may wait while the log is full or too many rooms wait for their
   * round.
   *
   * @param own the connection of this server whose JOIN it is, or null
   */
  public void show(RoomEvent event, @Nullable Member own) {
    switch (event) {
      case RoomEvent.Joined joined -> join(joined, own);
      case RoomEvent.Left left -> leave(left);
      case RoomEvent.Said said -> append(said.payload());
    }
    if (!readers.isEmpty()) {
      readers.round().appended();
    }
  }

  private void join(RoomEvent.Joined event, @Nullable Member own) {
    endOlder(event);
    if (own == null) {
      append(event.payload());
    } else {
      begin(event, own);
    }
  }

  private void endOlder(RoomEvent.Joined event) {
    Stay older = stays.remove(event.userId());
    if (older == null) {
      return;
    }
    if (older.session().equals(event.session())) {
      older.membership().end(log.tail());
    } else {
      older.membership().drop(CloseReason.TAKEN_OVER);
    }
  }

  private void begin(RoomEvent.Joined event, Member own) {
    Member.View view = new Member.View(event.userId(), event.username(), event.joinedMillis());
    Membership membership = readers.begin(view, own);
    fill(event.payload());
    readers.add(membership);
    stays.put(event.userId(), new Stay(event.session(), membership));
  }

  private void leave(RoomEvent.Left event) {
    append(event.payload());
    Stay stay = stays.get(event.userId());
    if (stay != null && stay.session().equals(event.session())) {
      stays.remove(event.userId());
      stay.membership().end(log.tail());
    }
  }

  /** Appends for those who are here; a room without readers keeps nothing. */
  private void append(Payload payload) {
    if (!readers.isEmpty()) {
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

  /** What is known of its members' JOINs counts no more: entries may be missing. */
  void forget() {
    stays.clear();
  }

  /** Releases and removes what is over; true when nobody is here. */
  boolean tick() {
    readers.tick();
    return readers.isEmpty() && stays.isEmpty();
  }
}
