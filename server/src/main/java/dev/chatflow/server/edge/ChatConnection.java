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
 * One connection: who it is, whether it is read, and what the registry and the timer judge it by.
 * {@link InboundFrames} takes its messages, {@link Deliveries} brings what its room shows, {@link
 * ConnectionEnd} closes it.
 *
 * <p>Container, reader, lane and timer threads call. Its parts share this object's lock. Messages
 * are offered to the lane under it, so that a message is either in the lane before the LEAVE made
 * at the connection's end, or not at all. No other lock is taken under it but the lane's, the
 * sink's and those of {@link PendingLeaves} and {@link PendingJoins}.
 */
final class ChatConnection implements PendingJoins.Candidate {

  private static final int SAMPLED_ONE_OF = 64;

  // What its parts share.
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

  /** When it came, left its room, or was refused for the server's reasons. */
  private long outsideSince;

  /**
   * Makes a new connection.
   *
   * @param makeSink makes the sink for the owner it is given
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

  /** Where its messages and its LEAVE come from; the lock is held. */
  ChatMessage.Origin origin() {
    return new ChatMessage.Origin(context.serverId(), id, visitor.address(), joins.stamp());
  }

  static boolean isSampled() {
    return ThreadLocalRandom.current().nextInt(SAMPLED_ONE_OF) == 0;
  }

  /** Takes the sink's reports. */
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

  // --- whether it is read

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

  // --- its end

  @Override
  public void close(CloseReason reason) {
    end.close(reason, false);
  }

  /** Closes for a reason that does not decide about a JOIN in flight: it may still be shown. */
  void closeWithLeave(CloseReason reason) {
    end.close(reason, true);
  }

  /** Whether its peer has answered the close, or is lost. */
  boolean hasAnswered() {
    return wire.isAnswered();
  }

  /** Ends admission: no LEAVE is made for this connection any more. */
  void giveUp() {
    end.makeNoLeave();
  }

  /** The connection has ended: if it is still admitted to its room, it leaves. */
  void ended() {
    sink.ended();
    synchronized (this) {
      inbound.ended();
      end.ended();
    }
  }

  // --- what the registry asks

  @Override
  public synchronized boolean isSupersededBy(Stamp other) {
    return joins.isPending()
        && new Stamp(joins.stamp(), context.serverId(), id).compareTo(other) < 0;
  }

  /** Whether the connection is a member, or has messages in flight. */
  synchronized boolean isConcerned() {
    return admission.isJoined() || isAwaiting();
  }

  /** Whether one of its messages was accepted and has not come back. */
  synchronized boolean isAwaiting() {
    return admission.underWay() > 0;
  }

  /** Whether it belongs to this user: by its token, or by its JOIN. */
  synchronized boolean isOf(String userId) {
    Admission.Joined join = admission.joined();
    return visitor.identity().isOf(userId) || (join != null && join.userId().equals(userId));
  }

  // --- what the timer judges

  /**
   * Closes it when its token no longer allows what it does; a paused connection is judged later.
   */
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

  /** The client has its whole time to join from now on; the lock is held. */
  void startJoinTimeout() {
    outsideSince = context.timer().nanoTime();
  }

  /**
   * Closes it when it has been in no room for too long. Time in which the server could not have
   * admitted it does not count. Its shard is kept in use during that time.
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

  /** Closes it when it sends more pings and pongs than it may. */
  void endIfFlood() {
    if (inbound.isFlood()) {
      stopReading(); // a flood keeps the container too busy to send a close
      close(CloseReason.FLOOD);
    }
  }

  /** Pings a quiet peer; false when it gave no sign of life since it was pinged last. */
  boolean beat() {
    return heartbeat.beat();
  }

  /** The peer has shown that it is there. */
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
