package dev.chatflow.server.edge;

import dev.chatflow.delivery.Sessions;
import dev.chatflow.log.Stamp;
import dev.chatflow.message.ChatMessage;
import dev.chatflow.message.ClientMessage;
import dev.chatflow.message.ErrorCode;
import dev.chatflow.message.ErrorFrame;
import dev.chatflow.message.LineWriter;
import dev.chatflow.message.MessageCodec;
import dev.chatflow.message.MessageType;
import dev.chatflow.message.Parsed;
import dev.chatflow.room.CloseReason;
import dev.chatflow.room.FrameSink;
import dev.chatflow.room.Member;
import dev.chatflow.room.Past;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.Shard;
import dev.chatflow.server.publish.LaneSender;
import dev.chatflow.server.publish.Offer;
import dev.chatflow.server.publish.Waiting;
import dev.chatflow.server.sink.MemberSink;
import dev.chatflow.server.sink.Pulse;
import dev.chatflow.server.sink.Wire;
import dev.chatflow.support.RateLimit;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One connection: admits its messages to the shard's lane, and decides when it is read.
 *
 * <p>The container hands over messages one at a time; reader, lane and timer threads call the rest.
 * Offers to the lane happen under this session's lock, so that a message is either in the lane
 * before the LEAVE made at the connection's end, or not at all. No other lock is taken under it but
 * the lane's and the sink's.
 */
final class ChatSession implements Member, Sessions.Sender, LaneSender, PendingJoins.Candidate {

  /** A JOIN that its lane does not take within this time is refused, 503. */
  private static final Duration JOIN_PATIENCE = Duration.ofSeconds(5);

  /**
   * After a message beyond the rate all messages are refused for this time, so that later ones in
   * flight cannot overtake it. Afterwards the bucket is full again.
   */
  private static final Duration RATE_PAUSE = Duration.ofSeconds(1);

  private static final long SPREAD_MILLIS = 5_000;
  private static final int SAMPLED_ONE_OF = 64;

  private final String id;
  private final RoomId room;
  private final Shard shard;
  private final Gate.Visitor visitor;
  private final SessionContext context;
  private final Wire wire;
  private final MemberSink sink;
  private final @Nullable RateLimit rate;
  private final @Nullable ControlFrames control;
  private final HeldAnswers early = new HeldAnswers();
  private final Entrances entrances = new Entrances();
  private final Pulse pulse;

  // The container's thread's.
  private long refusesUntil;
  private boolean refuses;

  // The reader's thread's.
  private boolean toldAPart;

  // Guarded by this.
  private final Faults faults = new Faults();

  /** Messages that the lane does not take yet: the connection is not read, so they are few. */
  private final ArrayDeque<ClientMessage> held = new ArrayDeque<>(1);

  private int holds;
  private long stamp;
  private boolean joinIsBack;
  private @Nullable String pendingUser;

  /** When it came, left its room, or was told to join later; counts while it has not joined. */
  private long outsideSince;

  private final Admission admission;
  private final Pauses pauses;
  private @Nullable CloseReason closing;
  private boolean ended;
  private boolean silent;

  /**
   * Makes the session of a new connection.
   *
   * @param visitor whose connection it is
   * @param makeSink makes the way out, for the owner it is given
   */
  ChatSession(
      String id,
      RoomId room,
      Gate.Visitor visitor,
      Wire wire,
      Function<MemberSink.Owner, MemberSink> makeSink,
      SessionContext context) {
    this.id = id;
    this.room = room;
    this.shard = Shard.of(room, context.shards());
    this.visitor = visitor;
    this.context = context;
    this.wire = wire;
    this.pauses = new Pauses(wire);
    this.sink = makeSink.apply(new SinkOwner());
    this.pulse = new Pulse(sink);
    this.admission = new Admission(context.config().window());
    int perSecond = context.config().ratePerSecond();
    boolean limited = perSecond > 0 && !visitor.isExempt();
    this.outsideSince = context.timer().nanoTime();
    this.rate = limited ? new RateLimit(perSecond) : null;
    this.control = limited ? new ControlFrames(perSecond, outsideSince) : null;
  }

  @Override
  public String session() {
    return id;
  }

  Gate.Visitor visitor() {
    return visitor;
  }

  Shard shard() {
    return shard;
  }

  @Override
  public FrameSink sink() {
    return sink;
  }

  @Override
  public Member member() {
    return this;
  }

  // --- inbound, on the container's thread

  /** A piece of a message has come, the last or not. */
  void piece() {
    if (control != null) {
      control.piece();
    }
  }

  /** Takes one text message. */
  void receive(String frame) {
    pulse.hear();
    if (isSampled()) {
      long started = context.timer().nanoTime();
      handle(frame);
      context.meter().acceptTook(Duration.ofNanos(context.timer().nanoTime() - started));
    } else {
      handle(frame);
    }
  }

  private void handle(String frame) {
    heedStandstill();
    if (takesNothing()) {
      return; // read after the end was decided: the client sends it again elsewhere
    }
    long wait = rate == null ? 0 : waitMillis(rate, context.timer().nanoTime());
    Parsed parsed = MessageCodec.parse(frame, room, context.config().userIds());
    ErrorFrame error = wait > 0 ? tooMany(parsed, wait) : admit(parsed);
    if (error != null) {
      refuse(error);
    }
    judge(parsed, error);
  }

  private long waitMillis(RateLimit limit, long nowNanos) {
    refuses = refuses && nowNanos - refusesUntil < 0;
    if (!refuses && limit.take(nowNanos) > 0) {
      refuses = true;
      refusesUntil = nowNanos + RATE_PAUSE.toNanos();
    }
    return refuses ? Math.max(1, TimeUnit.NANOSECONDS.toMillis(refusesUntil - nowNanos)) : 0;
  }

  private ErrorFrame tooMany(Parsed parsed, long waitMillis) {
    String id =
        switch (parsed) {
          case Parsed.Malformed _, Parsed.Ping _ -> null;
          case Parsed.Invalid invalid -> invalid.messageId();
          case Parsed.Valid(ClientMessage message) -> message.messageId();
        };
    String text = "more messages per second than allowed";
    return ErrorFrame.refusal(ErrorCode.RATE_LIMITED, text, id, now()).retryAfter(waitMillis);
  }

  private @Nullable ErrorFrame admit(Parsed parsed) {
    return switch (parsed) {
      case Parsed.Malformed malformed -> ErrorFrame.of(malformed, now());
      case Parsed.Invalid invalid -> ErrorFrame.of(invalid, now());
      case Parsed.Valid(ClientMessage message) -> takeOrRefuse(message);
      case Parsed.Ping _ -> {
        tell(MessageCodec.pong());
        yield null;
      }
    };
  }

  private void judge(Parsed parsed, @Nullable ErrorFrame error) {
    boolean tooMany;
    synchronized (this) {
      tooMany = faults.judge(parsed, error);
    }
    if (tooMany) {
      close(CloseReason.REFUSED);
    }
  }

  private static boolean isSampled() {
    return ThreadLocalRandom.current().nextInt(SAMPLED_ONE_OF) == 0;
  }

  private synchronized @Nullable ErrorFrame takeOrRefuse(ClientMessage message) {
    if (takesNothing()) {
      return null;
    }
    if (!held.isEmpty()) {
      held.add(message); // it was on its way when the reading stopped
      return null;
    }
    ErrorFrame refusal = refusal(message);
    if (refusal == null && !take(message)) {
      hold(message);
    }
    return refusal;
  }

  private @Nullable ErrorFrame refusal(ClientMessage message) {
    Admission.Refusal refusal = admission.refusal(message);
    if (refusal != null) {
      return error(refusal.code(), refusal.text(), message);
    }
    return message.type() == MessageType.JOIN ? refusalOfJoin(message) : null;
  }

  private @Nullable ErrorFrame refusalOfJoin(ClientMessage join) {
    String refusal = context.gate().refusalAs(visitor.identity(), join);
    if (refusal != null) {
      return error(ErrorCode.FORBIDDEN, refusal, join);
    }
    return context.lanes().acceptsNew(room) ? null : away(join);
  }

  /** The lock is held. */
  private ErrorFrame away(ClientMessage join) {
    outsideSince = context.timer().nanoTime(); // not its fault
    return error(ErrorCode.SERVICE_UNAVAILABLE, "the broker is away: join again later", join)
        .retryAfter(context.lanes().retryAfterMillis());
  }

  private ErrorFrame error(ErrorCode code, String text, ClientMessage message) {
    return ErrorFrame.refusal(code, text, message.messageId(), now());
  }

  /** Hands a message to the lane; false when that takes nothing now. The lock is held. */
  private boolean take(ClientMessage message) {
    if (message.type() == MessageType.LEAVE) {
      context.meter().accepted();
      context.leaves().owe(chatMessage(message, now(), false), joinIsBack);
      admission.take(message);
      outsideSince = context.timer().nanoTime();
      return true;
    }
    Offer offer = context.lanes().offer(room, read -> line(message, read), this);
    if (offer == Offer.NOT_NOW) {
      return false;
    }
    admission.take(message);
    context.meter().accepted();
    if (offer == Offer.TAKEN_AND_FULL) {
      pauseLocked(Pauses.Reason.LANE);
    }
    if (admission.isWindowFull()) {
      pauseLocked(Pauses.Reason.WINDOW);
    }
    return true;
  }

  private void hold(ClientMessage message) {
    held.add(message);
    int hold = ++holds;
    pauseLocked(Pauses.Reason.LANE);
    if (message.type() == MessageType.JOIN) {
      context.timer().after(JOIN_PATIENCE, () -> joinWaited(message, hold));
    }
  }

  /** The lane took it not in time: it is refused, and what follows it as well, up to the next. */
  private void joinWaited(ClientMessage join, int hold) {
    ErrorFrame refusal;
    synchronized (this) {
      if (holds != hold || !join.equals(held.peek())) {
        return;
      }
      held.remove();
      faults.joinPutOff();
      refusal = away(join);
    }
    refuse(refusal);
    laneIsFree();
  }

  /** Called within the lane's lock: who stamps first stands first. */
  private Waiting line(ClientMessage content, long read) {
    if (content.type() == MessageType.JOIN) {
      stamp = context.time().next();
      joinIsBack = false;
      joinIsPending(content.userId());
      entrances.ask(stamp, content.past().atMost(context.config().history()), content.members());
    }
    ChatMessage message = chatMessage(content, now(), false);
    return new Waiting(
        room,
        LineWriter.line(message),
        message.messageId(),
        content.type(),
        read,
        context.timer().nanoTime(),
        null);
  }

  private ChatMessage chatMessage(ClientMessage content, long serverMillis, boolean synthetic) {
    boolean quiet = content.type() != MessageType.TEXT && context.quiet().test(room);
    return new ChatMessage(content.named(), room, serverMillis, origin(), synthetic, quiet);
  }

  private ChatMessage.Origin origin() {
    return new ChatMessage.Origin(context.serverId(), id, visitor.address(), stamp);
  }

  // --- what came back, on the reader's thread

  @Override
  public synchronized void cameBack(int messages) {
    admission.cameBack(messages);
    if (admission.isWindowHalfOpen()) {
      resumeLocked(Pauses.Reason.WINDOW);
    }
  }

  @Override
  public synchronized void joinWasShown(long joinStamp) {
    if (joinStamp == stamp) {
      joinIsBack = true;
      joinIsPending(null);
    }
    entrances.cameBack(joinStamp);
  }

  /** From now on a JOIN of this user is not back. The lock is held. */
  private void joinIsPending(@Nullable String userId) {
    if (pendingUser != null) {
      context.joins().remove(room, pendingUser, this);
    }
    pendingUser = userId;
    if (userId != null) {
      context.joins().add(room, userId, this);
    }
  }

  @Override
  public synchronized boolean isBeatenBy(Stamp other) {
    return pendingUser != null && new Stamp(stamp, context.serverId(), id).compareTo(other) < 0;
  }

  @Override
  public Past past() {
    return entrances.past();
  }

  @Override
  public void tellAside(byte[] frame) {
    tell(frame);
  }

  @Override
  public int namesAsked() {
    return entrances.names();
  }

  @Override
  public void tellMembers(byte[] frame, boolean complete) {
    toldAPart = !complete;
    tell(frame);
  }

  @Override
  public boolean isToldAPart() {
    return toldAPart;
  }

  @Override
  public synchronized void wasLeft(long joinStamp) {
    silent |= joinStamp == stamp && joinIsBack;
  }

  @Override
  public void resendWasShown(ChatMessage resend) {
    byte[] frame = LineWriter.broadcast(resend, true);
    switch (early.hold(frame)) {
      case YES -> {}
      case YES_AND_FULL -> pause(Pauses.Reason.JOIN);
      case NO -> tell(frame);
    }
  }

  @Override
  public void entered() {
    if (early.release(this::tell)) {
      resume(Pauses.Reason.JOIN);
    }
  }

  @Override
  public void pauseWhileBehind(boolean behind) {
    if (behind) {
      pause(Pauses.Reason.BEHIND);
    } else {
      resume(Pauses.Reason.BEHIND);
    }
  }

  /** What waited is offered again, in order. */
  @Override
  public void laneIsFree() {
    heedStandstill();
    List<ErrorFrame> refusals = new ArrayList<>();
    synchronized (this) {
      if (takesNothing()) {
        held.clear();
      }
      while (!held.isEmpty()) {
        ClientMessage next = held.element();
        ErrorFrame refusal = refusal(next);
        if (refusal == null && !take(next)) {
          break;
        }
        held.remove();
        if (refusal != null) {
          refusals.add(refusal);
          if (next.type() == MessageType.JOIN) {
            faults.joinPutOff();
          }
        }
      }
      if (held.isEmpty()) {
        resumeLocked(Pauses.Reason.LANE);
      }
    }
    refusals.forEach(this::refuse);
  }

  /** Whether the connection is a member, or has own messages under way. */
  synchronized boolean isConcerned() {
    return admission.isJoined() || isAwaiting();
  }

  /** Whether something of it was taken and is not back. */
  synchronized boolean isAwaiting() {
    return admission.underWay() > 0;
  }

  synchronized boolean isPaused() {
    return !pauses.isEmpty();
  }

  // --- answers to this connection alone

  private void refuse(ErrorFrame error) {
    context.meter().refused(error.code().name());
    tell(MessageCodec.error(error));
    if (error.code() == ErrorCode.FORBIDDEN) {
      close(CloseReason.NO_ACCESS);
    }
  }

  private void tell(byte[] frame) {
    if (!sink.tell(frame)) {
      pause(Pauses.Reason.MAILBOX);
      if (!sink.isMailboxFull()) {
        resume(Pauses.Reason.MAILBOX); // emptied in between
      }
    }
  }

  // --- pausing

  private synchronized void pause(Pauses.Reason reason) {
    pauseLocked(reason);
  }

  private void pauseLocked(Pauses.Reason reason) {
    if (ended || closing != null) {
      return;
    }
    pauses.add(reason);
  }

  private synchronized void resume(Pauses.Reason reason) {
    resumeLocked(reason);
  }

  private void resumeLocked(Pauses.Reason reason) {
    if (ended || closing != null) {
      return; // whoever closes reads the answer
    }
    if (pauses.remove(reason)) {
      pulse.hear(); // its pongs were not read; the next beat must not hold that against it
    }
  }

  // --- the end

  /**
   * Whether nothing is taken any more. A frame may be on its way through this session when reading
   * stops; taken then, it would come back while some are closed already, and only others see it.
   */
  private synchronized boolean takesNothing() {
    return isClosing() || pauses.has(Pauses.Reason.DRAIN);
  }

  private synchronized boolean isClosing() {
    return closing != null || ended;
  }

  /**
   * What waited through a standstill is not taken, in the socket or here: it ends with whoever
   * notices first.
   */
  private void heedStandstill() {
    if (context.stoodStill().getAsBoolean()) {
      closeWithLeave(CloseReason.COME_BACK);
    }
  }

  @Override
  public void close(CloseReason reason) {
    close(reason, false);
  }

  /** Closes for a reason that says nothing of a JOIN under way: it may still be shown. */
  void closeWithLeave(CloseReason reason) {
    close(reason, true);
  }

  private void close(CloseReason reason, boolean withLeave) {
    synchronized (this) {
      silent |= !withLeave && makesNoLeave(reason); // also where it is closing for another reason
      if (closing != null || ended) {
        return;
      }
      closing = reason;
    }
    switch (reason) {
      case SLOW_CONSUMER -> sink.cut(reason);
      case PEER_LOST -> sink.abort(reason);
      default -> sink.finish(reason, text(reason));
    }
  }

  /**
   * A newer connection holds the membership, unless a JOIN of this one is under way, which may take
   * it back; or what is read back decides what is owed; or its JOIN is not back, and so came too
   * late or was beaten: nobody ever saw it.
   */
  private boolean makesNoLeave(CloseReason reason) {
    return switch (reason) {
      case TAKEN_OVER -> joinIsBack;
      case GAP -> true;
      case COME_BACK -> !joinIsBack;
      default -> false;
    };
  }

  private static String text(CloseReason reason) {
    if (reason != CloseReason.GOING_AWAY && reason != CloseReason.COME_BACK) {
      return reason.text();
    }
    long spread = ThreadLocalRandom.current().nextLong(SPREAD_MILLIS + 1);
    return "reconnect after " + spread + " ms";
  }

  /** What the sink tells its session. */
  private final class SinkOwner implements MemberSink.Owner {
    @Override
    public void mailboxHasSpace() {
      resume(Pauses.Reason.MAILBOX);
    }

    @Override
    public void closeSent() {
      readTheAnswer();
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

  /**
   * A paused connection would never see the client's answer to our close. For the container it has
   * ended with that close already; its socket stays until the answer. Of a flood nothing more is
   * read: the container waits a while, and ends it.
   */
  private synchronized void readTheAnswer() {
    if (closing != CloseReason.FLOOD) {
      pauses.removeAll();
    }
  }

  /** Whether its peer has answered the close, or has gone. */
  boolean hasAnswered() {
    return wire.isAnswered();
  }

  /** Stops reading until the connection is closed; nothing is taken any more. */
  void stopReading() {
    pause(Pauses.Reason.DRAIN);
  }

  /** Ends admission: no LEAVE is made for this connection any more. */
  synchronized void giveUp() {
    silent = true;
  }

  /** The connection has ended; whoever still belongs to a room leaves it. */
  void ended() {
    sink.ended();
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
      held.clear();
      joinIsPending(null);
      Admission.Joined join = admission.takeJoined();
      if (join != null && !silent) {
        context.leaves().owe(join, room, now(), origin(), joinIsBack);
      }
    }
  }

  // --- heartbeat, on the timer's thread

  /** Ends what its token no longer allows; a connection that is not read is judged later. */
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

  /** Whether it is this user's: by its token, or by its JOIN. */
  synchronized boolean isOf(String userId) {
    Admission.Joined join = admission.joined();
    return visitor.identity().isOf(userId) || (join != null && join.userId().equals(userId));
  }

  /**
   * Closes it when it has been in no room for too long; what the server itself could not have let
   * in does not count. Its shard is kept in use meanwhile.
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

  /** Closes it when it sends more pings and pongs than it may; on the timer's thread. */
  void endIfFlood() {
    if (control != null && control.isFlood(wire.framesRead(), context.timer().nanoTime())) {
      stopReading(); // who floods keeps the container too busy to send a close
      close(CloseReason.FLOOD);
    }
  }

  /** Pings a quiet peer; false when it gave no sign of life since it was pinged last. */
  boolean beat() {
    return pulse.beat();
  }

  /** Gives up a peer that did not answer. */
  void peerLost() {
    if (!isClosing()) {
      context.meter().peerLost(EdgeMeter.Loss.NO_PONG);
      close(CloseReason.PEER_LOST);
    }
  }

  /** The peer showed that it is there. */
  void hear() {
    pulse.hear();
  }

  private long now() {
    return context.timer().millis();
  }
}
