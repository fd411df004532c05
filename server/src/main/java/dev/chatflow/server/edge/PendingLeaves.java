package dev.chatflow.server.edge;

import dev.chatflow.delivery.Connections;
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
import dev.chatflow.room.UserDevice;
import dev.chatflow.server.publish.Fate;
import dev.chatflow.server.publish.LaneSender;
import dev.chatflow.server.publish.Lanes;
import dev.chatflow.server.publish.OfferResult;
import dev.chatflow.server.publish.WaitingLine;
import dev.chatflow.server.sink.Timer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The pending LEAVEs of a server: for each connection that was a member and has ended, until its
 * LEAVE or a newer JOIN of the user was read.
 *
 * <p>Thread-safe. Bounded by the ended connections, one LEAVE each: while a shard's log is not
 * followed no client can join there.
 */
public final class PendingLeaves implements Connections.Leaves {

  /** LEAVEs for other servers wait while this many are pending. */
  private static final int BUSY = 500;

  private record Key(RoomId room, UserDevice who) {}

  /** The state of the JOIN that a LEAVE ends. */
  private enum Join {
    /** It has not been read. */
    PENDING,
    /** It was shown. */
    SHOWN,
    /** It was found in the past of a log, and nothing else is known of its connection. */
    FOUND
  }

  /** The state of a LEAVE. */
  private enum State {
    /** To be offered to its lane as soon as that accepts it. */
    WAITING,
    /** Accepted by its lane. */
    IN_FLIGHT,
    /** No longer pending. */
    DONE
  }

  /** One LEAVE. Its state is guarded by the enclosing object. */
  private final class PendingLeave implements Fate, LaneSender {
    private final ChatMessage leave;
    private final Key key;
    private final Stamp stamp;
    private Join join;
    private State state = State.WAITING;

    PendingLeave(ChatMessage leave, Join join) {
      ChatMessage.Origin origin = leave.origin();
      this.leave = leave;
      this.key = new Key(leave.room(), new UserDevice(leave.content().userId(), origin.device()));
      this.stamp = new Stamp(origin.stamp(), origin.serverId(), origin.connectionId());
      this.join = join;
    }

    private WaitingLine line(long read) {
      return new WaitingLine(
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
      say(this);
    }

    @Override
    public void back() {
      remove(this);
    }

    /** It landed too late. */
    @Override
    public void dropped() {
      sayAgain(this);
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
  private final String connectionIdPrefix;

  // Guarded by this.
  private final Map<Key, List<PendingLeave>> pending = new HashMap<>();

  /**
   * Creates an empty set.
   *
   * @param bootEpoch identifies the connections of this process, together with {@code serverId}
   * @param quiet see {@link ConnectionContext}
   */
  public PendingLeaves(
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
    this.connectionIdPrefix = ConnectionRegistry.idPrefix(serverId, bootEpoch);
  }

  /**
   * Adds the LEAVE of a connection that has ended.
   *
   * @param who the joined user
   * @param joined whether its JOIN was read back
   */
  void owe(
      Admission.Joined who, RoomId room, long millis, ChatMessage.Origin origin, boolean joined) {
    owe(leaveOf(who.userId(), who.username(), room, millis, origin), joined);
  }

  /** Adds a LEAVE. */
  synchronized void owe(ChatMessage leave, boolean joined) {
    PendingLeave fresh = new PendingLeave(leave, joined ? Join.SHOWN : Join.PENDING);
    if (find(fresh.key, fresh.stamp) == null) {
      add(fresh);
      say(fresh);
    }
  }

  private void add(PendingLeave leave) {
    pending.computeIfAbsent(leave.key, _ -> new ArrayList<>(1)).add(leave);
  }

  /**
   * Offers it to its lane, which calls back if it accepts nothing now. Both happen under one lock,
   * so that the call is not missed.
   */
  private synchronized void say(PendingLeave leave) {
    if (leave.state == State.WAITING
        && lanes.offer(leave.leave.room(), leave::line, leave) != OfferResult.NOT_NOW) {
      leave.state = State.IN_FLIGHT;
    }
  }

  /** Offers a late LEAVE again. If its JOIN was late too, no member ever saw its user. */
  private synchronized void sayAgain(PendingLeave leave) {
    if (leave.join == Join.PENDING) {
      remove(leave);
    } else if (leave.state == State.IN_FLIGHT) {
      leave.state = State.WAITING;
      say(leave);
    }
  }

  private @Nullable PendingLeave find(Key key, Stamp stamp) {
    return pending.getOrDefault(key, List.of()).stream()
        .filter(each -> each.stamp.equals(stamp))
        .findFirst()
        .orElse(null);
  }

  private synchronized void remove(PendingLeave leave) {
    leave.state = State.DONE;
    pending.computeIfPresent(
        leave.key,
        (_, known) -> {
          known.remove(leave);
          return known.isEmpty() ? null : known;
        });
  }

  synchronized int size() {
    return pending.size();
  }

  // --- events of the reader

  @Override
  public void joinRead(Line.Message join, boolean counts, boolean past) {
    Stamp stamp = Stamp.of(join);
    if (stamp == null) {
      return;
    }
    boolean ours = past && counts && stamp.connectionId().startsWith(connectionIdPrefix);
    synchronized (this) {
      if (pending.isEmpty() && !ours) {
        return;
      }
      Key key = new Key(join.room(), join.who());
      for (PendingLeave each : List.copyOf(pending.getOrDefault(key, List.of()))) {
        compare(each, stamp, counts);
      }
      if (ours && find(key, stamp) == null) {
        add(new PendingLeave(leaveOf(join.message()), Join.FOUND));
      }
    }
  }

  /**
   * Ends a pending LEAVE if a greater JOIN of the user was read, or the connection's JOIN was
   * superseded.
   */
  private void compare(PendingLeave leave, Stamp read, boolean counts) {
    boolean own = leave.stamp.equals(read);
    if (counts ? leave.stamp.compareTo(read) < 0 : own) {
      remove(leave);
    } else if (own && leave.join == Join.PENDING) {
      leave.join = Join.SHOWN;
    }
  }

  private ChatMessage leaveOf(ChatMessage join) {
    return leaveOf(
        join.content().userId(),
        join.content().username(),
        join.room(),
        timer.millis(),
        new ChatMessage.Origin(
            serverId,
            join.origin().connectionId(),
            join.origin().clientIp(),
            join.origin().stamp(),
            join.origin().device()));
  }

  private ChatMessage leaveOf(
      String userId, String username, RoomId room, long millis, ChatMessage.Origin origin) {
    ClientMessage leave =
        new ClientMessage(MessageType.LEAVE, userId, username, "", Rfc3339.text(millis), null);
    return new ChatMessage(leave.named(), room, millis, origin, true, quiet.test(room));
  }

  @Override
  public synchronized boolean isBusy() {
    return pending.size() >= BUSY;
  }

  /**
   * Publishes the LEAVE in the form that its own server would use, so that all servers publish the
   * same.
   */
  @Override
  public void leaves(RoomId room, Person person) {
    Stamp join = person.rank();
    owe(
        leaveOf(
            person.who().userId(),
            person.username(),
            room,
            timer.millis(),
            new ChatMessage.Origin(
                join.serverId(), join.connectionId(), "", join.time(), person.who().device())),
        true);
  }

  @Override
  public synchronized void leaveRead(Line.Message leave) {
    Stamp stamp = pending.isEmpty() ? null : Stamp.of(leave);
    PendingLeave same = stamp == null ? null : find(new Key(leave.room(), leave.who()), stamp);
    if (same != null) {
      remove(same);
    }
  }

  @Override
  public void pastRestarts(Shard shard) {
    of(shard).stream().filter(each -> each.join == Join.FOUND).forEach(this::remove);
  }

  @Override
  public void attached(Shard shard) {
    of(shard).forEach(this::say);
  }

  private synchronized List<PendingLeave> of(Shard shard) {
    return pending.values().stream()
        .flatMap(List::stream)
        .filter(each -> Shard.of(each.leave.room(), shards).equals(shard))
        .toList();
  }

  @Override
  public void lost(Shard shard) {
    of(shard).forEach(this::remove);
  }

  @Override
  public synchronized boolean isAnyPending(Shard shard) {
    return !pending.isEmpty() && !of(shard).isEmpty();
  }
}
