package dev.chatflow.server.edge;

import dev.chatflow.log.Stamp;
import dev.chatflow.message.ChatMessage;
import dev.chatflow.room.CloseReason;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.Shard;
import dev.chatflow.server.sink.MemberSink;
import dev.chatflow.server.sink.PeerHeartbeat;
import dev.chatflow.server.sink.Wire;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;

/**
 * One connection: its identity, whether it is read, and the checks by registry and timer. {@link
 * InboundFrames} takes its messages, {@link Deliveries} receives what its room shows, {@link
 * ConnectionEnd} closes it.
 *
 * <p>Called by container, reader, lane and timer threads. Its parts share this object's lock.
 * Messages are offered to the lane under it, so a message is either in the lane before the LEAVE
 * made at the connection's end, or not at all. Under this lock only those of the lane, the sink,
 * {@link PendingLeaves} and {@link PendingJoins} are taken.
 */
final class ChatConnection implements PendingJoins.Candidate {

  private static final int SAMPLED_ONE_OF = 64;

  // Shared by its parts.
  final String id;
  final RoomId room;
  final Gate.Visitor visitor;
  final ConnectionContext context;
  final Wire wire;
  final MemberSink sink;
  final ConnectionEnd end;

  // Guarded by this.
  final Admission admission;
  final OwnJoins joins;
  final Pauses pauses;

  private final Shard shard;
  private final PeerHeartbeat heartbeat;
  private final InboundFrames inbound;
  private final Deliveries deliveries;

  // Guarded by this.

  /** When it opened, left its room, or was rejected for a reason of the server. */
  private long outsideSince;

  /**
   * Creates a new connection.
   *
   * @param makeSink creates the sink for a given owner
   */
  ChatConnection(
      String id,
      RoomId room,
      Gate.Visitor visitor,
      Wire wire,
      Function<MemberSink.Owner, MemberSink> makeSink,
      ConnectionContext context) {
    this.id = id;
    this.room = room;
    this.shard = Shard.of(room, context.shards());
    this.visitor = visitor;
    this.context = context;
    this.wire = wire;
    this.sink = makeSink.apply(new SinkOwner());
    this.heartbeat = new PeerHeartbeat(sink);
    this.pauses = new Pauses(wire, heartbeat);
    this.outsideSince = context.timer().nanoTime();
    this.admission = new Admission(context.config().window());
    this.joins = new OwnJoins(this);
    this.end = new ConnectionEnd(this);
    this.inbound = new InboundFrames(this);
    this.deliveries = new Deliveries(this);
  }

  Shard shard() {
    return shard;
  }

  InboundFrames inbound() {
    return inbound;
  }

  Deliveries deliveries() {
    return deliveries;
  }

  /** Returns the origin of its messages and its LEAVE. The lock is held. */
  ChatMessage.Origin origin() {
    return new ChatMessage.Origin(
        context.serverId(), id, visitor.address(), joins.stamp(), joins.device());
  }

  static boolean isSampled() {
    return ThreadLocalRandom.current().nextInt(SAMPLED_ONE_OF) == 0;
  }

  /** Receives the sink's reports. */
  private final class SinkOwner implements MemberSink.Owner {
    @Override
    public void mailboxHasSpace() {
      resume(Pauses.Reason.MAILBOX);
    }

    @Override
    public void closeSent() {
      end.readTheAnswer();
    }

    @Override
    public void timedOut() {
      context.meter().writeTimedOut();
    }

    @Override
    public void peerLost() {
      context.meter().peerLost(EdgeMeter.Loss.WRITE_FAILED);
    }

    @Override
    public void wrote(long startedNanos) {
      if (isSampled()) {
        context.meter().writeTook(Duration.ofNanos(context.timer().nanoTime() - startedNanos));
      }
    }
  }

  // --- reading

  synchronized void pause(Pauses.Reason reason) {
    pauses.add(reason);
  }

  synchronized void resume(Pauses.Reason reason) {
    pauses.remove(reason);
  }

  synchronized boolean isPaused() {
    return !pauses.isEmpty();
  }

  /** Stops reading until the connection is closed; nothing is accepted any more. */
  void stopReading() {
    pause(Pauses.Reason.DRAIN);
  }

  /** Sends a frame to this connection only; a full mailbox pauses it. */
  void tell(byte[] frame) {
    if (!sink.tell(frame)) {
      pause(Pauses.Reason.MAILBOX);
      if (!sink.isMailboxFull()) {
        resume(Pauses.Reason.MAILBOX); // emptied in between
      }
    }
  }

  // --- closing

  @Override
  public void close(CloseReason reason) {
    end.close(reason, false);
  }

  /** Closes for a reason that does not decide about a JOIN in flight: it may still be shown. */
  void closeWithLeave(CloseReason reason) {
    end.close(reason, true);
  }

  /** Returns whether its peer has answered the close, or is lost. */
  boolean hasAnswered() {
    return wire.isAnswered();
  }

  /** Ends admission: no LEAVE is made for this connection any more. */
  void giveUp() {
    end.makeNoLeave();
  }

  /** Handles the end of the connection: if it is still admitted to its room, it leaves. */
  void ended() {
    sink.ended();
    synchronized (this) {
      inbound.ended();
      end.ended();
    }
  }

  // --- queries of the registry

  @Override
  public synchronized boolean isSupersededBy(Stamp other) {
    return joins.isPending()
        && new Stamp(joins.stamp(), context.serverId(), id).compareTo(other) < 0;
  }

  /** Returns whether the connection is a member, or has messages in flight. */
  synchronized boolean isConcerned() {
    return admission.isJoined() || isAwaiting();
  }

  /** Returns whether one of its messages was accepted and has not come back. */
  synchronized boolean isAwaiting() {
    return admission.underWay() > 0;
  }

  /** Returns whether it belongs to this user, by its token or its JOIN. */
  synchronized boolean isOf(String userId) {
    Admission.Joined join = admission.joined();
    return visitor.identity().isOf(userId) || (join != null && join.userId().equals(userId));
  }

  // --- checks by the timer

  /** Closes it if its token no longer allows its use; a paused connection is checked later. */
  void judgeAccess() {
    CloseReason reason;
    synchronized (this) {
      Admission.Joined join = admission.joined();
      String user = join == null ? "" : join.userId();
      reason = pauses.isEmpty() ? context.gate().ended(visitor.identity(), user) : null;
    }
    if (reason != null) {
      close(reason);
    }
  }

  /** Restarts the client's time to join. The lock is held. */
  void startJoinTimeout() {
    outsideSince = context.timer().nanoTime();
  }

  /**
   * Closes it if it has been in no room for too long. Time in which the server could not have
   * admitted it does not count. Its shard stays in use during that time.
   */
  void endIfOutside() {
    if (isJoinedOrPaused()) {
      return;
    }
    context.lanes().use(room);
    if (outsideNanos() >= context.config().joinTimeout().toNanos()) {
      close(CloseReason.NOT_JOINED);
    }
  }

  private synchronized boolean isJoinedOrPaused() {
    return admission.isJoined() || !pauses.isEmpty();
  }

  private synchronized long outsideNanos() {
    long now = context.timer().nanoTime();
    return Math.min(now - outsideSince, context.lanes().openNanos(room, now));
  }

  /** Closes it if it sends more pings and pongs than allowed. */
  void endIfFlood() {
    if (inbound.isFlood()) {
      stopReading(); // a flood keeps the container too busy to send a close
      close(CloseReason.FLOOD);
    }
  }

  /** Pings a quiet peer; false if there was no sign of life since the last ping. */
  boolean beat() {
    return heartbeat.beat();
  }

  /** Notes a sign of life of the peer. */
  void received() {
    heartbeat.received();
  }

  /** Gives up a peer that did not answer. */
  void peerLost() {
    if (!end.isClosing()) {
      context.meter().peerLost(EdgeMeter.Loss.NO_PONG);
      close(CloseReason.PEER_LOST);
    }
  }
}
