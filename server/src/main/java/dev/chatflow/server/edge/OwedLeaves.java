package dev.chatflow.server.edge;

import dev.chatflow.delivery.Sessions;
import dev.chatflow.log.Stamp;
import dev.chatflow.message.ChatMessage;
import dev.chatflow.message.ClientMessage;
import dev.chatflow.message.Line;
import dev.chatflow.message.LineWriter;
import dev.chatflow.message.MessageType;
import dev.chatflow.message.Rfc3339;
import dev.chatflow.presence.Person;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.Shard;
import dev.chatflow.server.publish.Fate;
import dev.chatflow.server.publish.LaneSender;
import dev.chatflow.server.publish.Lanes;
import dev.chatflow.server.publish.Offer;
import dev.chatflow.server.publish.Waiting;
import dev.chatflow.server.sink.Timer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The LEAVEs that a server owes: of each connection that was a member and has ended, until its
 * LEAVE has been read back, or a newer JOIN of the user has.
 *
 * <p>Any thread. Bounded by the connections that have ended, one LEAVE each: while a shard's log is
 * not followed nobody can join in it.
 */
public final class OwedLeaves implements Sessions.Leaves {

  /** Nobody says LEAVEs for others while so many are owed. */
  private static final int BUSY = 500;

  private record Key(RoomId room, String userId) {}

  /** One LEAVE. Changed under the lock of all. */
  private final class Owed implements Fate, LaneSender {
    private final ChatMessage leave;
    private final boolean found;
    private boolean joined;
    private boolean underWay;

    /**
     * @param found whether its JOIN alone was met, in the past
     */
    Owed(ChatMessage leave, boolean joined, boolean found) {
      this.leave = leave;
      this.joined = joined;
      this.found = found;
    }

    Key key() {
      return new Key(leave.room(), leave.content().userId());
    }

    Stamp stamp() {
      return stampOf(leave);
    }

    /** Offers it, unless it is under way; when the lane takes nothing it calls back. */
    void say() {
      synchronized (OwedLeaves.this) {
        if (underWay || !isOwed(this)) {
          return;
        }
        underWay = true;
      }
      if (lanes.offer(leave.room(), this::line, this) == Offer.NOT_NOW) {
        synchronized (OwedLeaves.this) {
          underWay = false;
        }
      }
    }

    private Waiting line(long read) {
      return new Waiting(
          leave.room(),
          LineWriter.line(leave),
          leave.messageId(),
          MessageType.LEAVE,
          read,
          timer.nanoTime(),
          this);
    }

    @Override
    public void laneIsFree() {
      say();
    }

    @Override
    public void back() {
      remove(this);
    }

    /** It came too late. Where its JOIN did as well nobody ever saw its user. */
    @Override
    public void dropped() {
      synchronized (OwedLeaves.this) {
        underWay = false;
        if (!joined) {
          remove(this);
          return;
        }
      }
      say();
    }

    @Override
    public void unknown() {
      remove(this);
    }
  }

  private final Lanes lanes;
  private final Timer timer;
  private final String serverId;
  private final int shards;
  private final Predicate<RoomId> quiet;
  private final String sessionPrefix;

  // Guarded by this.
  private final Map<Key, List<Owed>> owed = new HashMap<>();

  /**
   * Makes it empty.
   *
   * @param bootEpoch with {@code serverId} tells which sessions are of this process
   * @param quiet see {@link SessionContext}
   */
  public OwedLeaves(
      Lanes lanes,
      Timer timer,
      String serverId,
      long bootEpoch,
      int shards,
      Predicate<RoomId> quiet) {
    this.lanes = lanes;
    this.timer = timer;
    this.serverId = serverId;
    this.shards = shards;
    this.quiet = quiet;
    this.sessionPrefix = SessionRegistry.idPrefix(serverId, bootEpoch);
  }

  /**
   * The LEAVE of a connection that has ended is to be said.
   *
   * @param who as whom it joined
   * @param joined whether that has been read back
   */
  void owe(
      Admission.Joined who, RoomId room, long millis, ChatMessage.Origin origin, boolean joined) {
    owe(leaveOf(who.userId(), who.username(), room, millis, origin), joined);
  }

  /** The same of a LEAVE that is made. */
  void owe(ChatMessage leave, boolean joined) {
    Owed fresh = new Owed(leave, joined, false);
    synchronized (this) {
      if (find(fresh.key(), fresh.stamp()) != null) {
        return;
      }
      owed.computeIfAbsent(fresh.key(), _ -> new ArrayList<>(1)).add(fresh);
    }
    fresh.say();
  }

  private static Stamp stampOf(ChatMessage message) {
    ChatMessage.Origin origin = message.origin();
    return new Stamp(origin.stamp(), origin.serverId(), origin.session());
  }

  private @Nullable Owed find(Key key, Stamp stamp) {
    return owed.getOrDefault(key, List.of()).stream()
        .filter(each -> each.stamp().equals(stamp))
        .findFirst()
        .orElse(null);
  }

  private boolean isOwed(Owed leave) {
    return owed.getOrDefault(leave.key(), List.of()).contains(leave);
  }

  private synchronized void remove(Owed leave) {
    List<Owed> of = owed.get(leave.key());
    if (of != null) {
      of.remove(leave);
      if (of.isEmpty()) {
        owed.remove(leave.key());
      }
    }
  }

  synchronized int size() {
    return owed.size();
  }

  // --- what the reader tells

  @Override
  public void joinRead(Line.Message join, boolean counts, boolean past) {
    Stamp stamp = Stamp.of(join);
    if (stamp == null) {
      return;
    }
    boolean ours = past && counts && stamp.session().startsWith(sessionPrefix);
    synchronized (this) {
      if (owed.isEmpty() && !ours) {
        return;
      }
      Key key = new Key(join.room(), join.userId());
      for (Owed each : List.copyOf(owed.getOrDefault(key, List.of()))) {
        boolean own = each.stamp().equals(stamp);
        each.joined = own ? counts : each.joined;
        boolean beaten = counts && each.stamp().compareTo(stamp) < 0;
        boolean never = own && !counts;
        if (beaten || never) {
          remove(each);
        }
      }
      if (ours && find(key, stamp) == null) {
        Owed found = new Owed(leaveOf(join.message()), true, true);
        owed.computeIfAbsent(key, _ -> new ArrayList<>(1)).add(found);
      }
    }
  }

  private ChatMessage leaveOf(ChatMessage join) {
    return leaveOf(
        join.content().userId(),
        join.content().username(),
        join.room(),
        timer.millis(),
        new ChatMessage.Origin(
            serverId, join.origin().session(), join.origin().clientIp(), join.origin().stamp()));
  }

  private ChatMessage leaveOf(
      String userId, String username, RoomId room, long millis, ChatMessage.Origin origin) {
    ClientMessage leave =
        new ClientMessage(MessageType.LEAVE, userId, username, "", Rfc3339.text(millis), null);
    return new ChatMessage(leave.named(), room, millis, origin, true, quiet.test(room));
  }

  @Override
  public synchronized boolean isBusy() {
    return owed.size() >= BUSY;
  }

  /** As its own server would have said it, so that all of them say the same. */
  @Override
  public void leaves(RoomId room, Person person) {
    Stamp join = person.rank();
    owe(
        leaveOf(
            person.userId(),
            person.username(),
            room,
            timer.millis(),
            new ChatMessage.Origin(join.serverId(), join.session(), "", join.time())),
        true);
  }

  @Override
  public synchronized void leaveRead(Line.Message leave) {
    Stamp stamp = owed.isEmpty() ? null : Stamp.of(leave);
    Owed same = stamp == null ? null : find(new Key(leave.room(), leave.userId()), stamp);
    if (same != null) {
      remove(same);
    }
  }

  @Override
  public void pastBeginsAnew(Shard shard) {
    of(shard).stream().filter(each -> each.found).forEach(this::remove);
  }

  @Override
  public void attached(Shard shard) {
    of(shard).forEach(Owed::say);
  }

  private synchronized List<Owed> of(Shard shard) {
    return owed.values().stream()
        .flatMap(List::stream)
        .filter(each -> Shard.of(each.leave.room(), shards).equals(shard))
        .toList();
  }

  @Override
  public void lost(Shard shard) {
    of(shard).forEach(this::remove);
  }

  @Override
  public boolean isAnyOwed(Shard shard) {
    synchronized (this) {
      if (owed.isEmpty()) {
        return false;
      }
    }
    return !of(shard).isEmpty();
  }
}
