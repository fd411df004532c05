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
 * <p>Single writer: the consumer thread of its shard alone accepts and ticks. Any thread may list
 * the members.
 *
 * <p>Every server decides alike, whatever order it sees the messages of different servers in: of
 * two JOINs of a user the one with the greater {@link JoinStamp} holds the membership.
 */
public final class Room {

  /** What became of a message. */
  public enum Outcome {
    /** It is in the room's log; every member gets it. */
    SHOWN,
    /** A TEXT that was shown already: consumed, not shown. */
    RESEND,
    /** A JOIN or LEAVE that lost against a newer JOIN: consumed, not shown. */
    STALE
  }

  private final RoomId id;
  private final Shard shard;
  private final RecentMessages recent;
  private final LogSpace space;
  private final RoomLog log;
  private final Readers readers;

  // The consumer thread's.
  private final Map<Integer, Stay> stays = new HashMap<>();
  private long lastMillis;

  /** A user's membership on this server, from its JOIN until its LEAVE or a takeover comes back. */
  private record Stay(JoinStamp stamp, Membership membership) {}

  /** What the rooms of one consumer thread share. */
  record Shared(
      RoomsConfig config, FanOut fanOut, SegmentPool pool, RecentMessages recent, LogSpace space) {}

  Room(RoomId id, Shared shared) {
    this.id = id;
    this.shard = Shard.of(id, shared.config().shards());
    this.recent = shared.recent();
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
   * Decides on a message and shows it; may wait while the log is full or too many rooms wait for
   * their round.
   *
   * @param own the connection of this server that sent it, or null
   */
  public Outcome accept(RoomEvent event, @Nullable Member own, long nowMillis) {
    lastMillis = nowMillis;
    Outcome outcome =
        switch (event) {
          case RoomEvent.Joined joined -> join(joined, own, nowMillis);
          case RoomEvent.Left left -> leave(left);
          case RoomEvent.Said said -> say(said, nowMillis);
        };
    if (outcome == Outcome.SHOWN && !readers.isEmpty()) {
      readers.round().appended();
    }
    return outcome;
  }

  private Outcome join(RoomEvent.Joined event, @Nullable Member own, long nowMillis) {
    JoinStamp newest = newestJoin(event.userId());
    if (newest != null && event.stamp().compareTo(newest) < 0) {
      if (own != null) {
        own.close(CloseReason.TAKEN_OVER);
      }
      return Outcome.STALE;
    }
    recent.joined(id, event.userId(), event.stamp(), nowMillis);
    endOlder(event);
    if (own == null) {
      append(event.payload());
    } else {
      begin(event, own);
    }
    return Outcome.SHOWN;
  }

  private @Nullable JoinStamp newestJoin(int userId) {
    JoinStamp remembered = recent.newestJoin(id, userId);
    Stay stay = stays.get(userId);
    return remembered == null && stay != null ? stay.stamp() : remembered;
  }

  private void endOlder(RoomEvent.Joined event) {
    Stay older = stays.remove(event.userId());
    if (older == null) {
      return;
    }
    if (older.stamp().session().equals(event.stamp().session())) {
      older.membership().end(log.tail());
    } else {
      older.membership().drop(CloseReason.TAKEN_OVER);
    }
  }

  private void begin(RoomEvent.Joined event, Member own) {
    Member.View view = new Member.View(event.userId(), event.username(), event.stamp().millis());
    Membership membership = readers.begin(view, own);
    fill(event.payload());
    readers.add(membership);
    stays.put(event.userId(), new Stay(event.stamp(), membership));
  }

  private Outcome leave(RoomEvent.Left event) {
    JoinStamp newest = newestJoin(event.userId());
    if (newest != null && !newest.session().equals(event.session())) {
      return Outcome.STALE;
    }
    append(event.payload());
    Stay stay = stays.get(event.userId());
    if (stay != null && stay.stamp().session().equals(event.session())) {
      stays.remove(event.userId());
      stay.membership().end(log.tail());
    }
    return Outcome.SHOWN;
  }

  private Outcome say(RoomEvent.Said event, long nowMillis) {
    if (!recent.remember(id, event.userId(), event.idHash(), nowMillis)) {
      return Outcome.RESEND;
    }
    append(event.payload());
    return Outcome.SHOWN;
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

  /** Releases and removes what is over; true when the room has had no member for the linger. */
  boolean tick(long nowMillis) {
    readers.tick();
    if (!readers.isEmpty() || !stays.isEmpty()) {
      lastMillis = nowMillis;
    }
    return nowMillis - lastMillis >= RecentMessages.MEMORY.toMillis();
  }
}
