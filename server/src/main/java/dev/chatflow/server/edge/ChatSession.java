package dev.chatflow.server.edge;

import dev.chatflow.consumer.room.Sessions;
import dev.chatflow.message.ChatMessage;
import dev.chatflow.message.ClientMessage;
import dev.chatflow.message.ErrorCode;
import dev.chatflow.message.ErrorFrame;
import dev.chatflow.message.MessageCodec;
import dev.chatflow.message.MessageType;
import dev.chatflow.message.Parsed;
import dev.chatflow.message.line.LineWriter;
import dev.chatflow.room.CloseReason;
import dev.chatflow.room.Member;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.Shard;
import dev.chatflow.room.log.FrameSink;
import dev.chatflow.server.edge.admission.Admission;
import dev.chatflow.server.edge.admission.Faults;
import dev.chatflow.server.edge.admission.Pauses;
import dev.chatflow.server.edge.admission.RateLimit;
import dev.chatflow.server.edge.sink.MemberSink;
import dev.chatflow.server.edge.sink.Pulse;
import dev.chatflow.server.edge.sink.Wire;
import dev.chatflow.server.publish.Drained;
import dev.chatflow.server.publish.Outgoing;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One connection: admits its messages to the shard's lane, and decides when it is read.
 *
 * <p>The container hands over messages one at a time; consumer, lane and timer threads call the
 * rest. Offers to the lane happen under this session's lock, so that a message is either in the
 * lane before the LEAVE made at the connection's end, or not at all. No other lock is taken under
 * it but the lane's and the sink's.
 */
final class ChatSession implements Member, Sessions.Sender, Drained {

  /** As server timestamps are written: UTC, always with milliseconds. */
  private static final DateTimeFormatter TIMESTAMP =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private static final long SPREAD_MILLIS = 5_000;
  private static final int SAMPLED_ONE_OF = 64;

  private final String id;
  private final RoomId room;
  private final Shard shard;
  private final ChatMessage.Origin origin;
  private final SessionContext context;
  private final Wire wire;
  private final MemberSink sink;
  private final @Nullable RateLimit rate;
  private final HeldAnswers early = new HeldAnswers();
  private final Faults faults = new Faults();
  private final Pulse pulse;

  // Guarded by this.
  private final Admission admission;
  private final Pauses pauses;
  private @Nullable CloseReason closing;
  private boolean ended;
  private boolean silent;

  /**
   * Makes the session of a new connection.
   *
   * @param makeSink makes the way out, for the owner it is given
   */
  ChatSession(
      String id,
      RoomId room,
      String clientIp,
      Wire wire,
      Function<MemberSink.Owner, MemberSink> makeSink,
      SessionContext context) {
    this.id = id;
    this.room = room;
    this.shard = Shard.of(room, context.shards());
    this.origin = new ChatMessage.Origin(context.serverId(), id, clientIp);
    this.context = context;
    this.wire = wire;
    this.pauses = new Pauses(wire);
    this.sink = makeSink.apply(new SinkOwner());
    this.pulse = new Pulse(sink);
    this.admission = new Admission(context.config().window());
    int perSecond = context.config().ratePerSecond();
    this.rate = perSecond == 0 ? null : new RateLimit(perSecond);
  }

  @Override
  public String session() {
    return id;
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

  /** Takes one text message. */
  void receive(String frame) {
    pulse.hear();
    if (isSampled()) {
      long started = System.nanoTime();
      handle(frame);
      context.meter().acceptTook(Duration.ofNanos(System.nanoTime() - started));
    } else {
      handle(frame);
    }
  }

  private void handle(String frame) {
    if (takesNothing()) {
      return; // read after the end was decided: the client sends it again elsewhere
    }
    long wait = rate == null ? 0 : rate.take(System.nanoTime());
    Parsed parsed = MessageCodec.parse(frame, room);
    ErrorFrame error = wait > 0 ? tooMany(parsed, wait) : admit(parsed);
    if (error != null) {
      refuse(error);
    }
    if (faults.judge(parsed, error)) {
      close(CloseReason.REFUSED);
    }
  }

  private static ErrorFrame tooMany(Parsed parsed, long waitMillis) {
    String id =
        switch (parsed) {
          case Parsed.Malformed _ -> null;
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
    };
  }

  private static boolean isSampled() {
    return ThreadLocalRandom.current().nextInt(SAMPLED_ONE_OF) == 0;
  }

  private synchronized @Nullable ErrorFrame takeOrRefuse(ClientMessage message) {
    if (takesNothing()) {
      return null;
    }
    Admission.Refusal refusal = admission.refusal(message);
    if (refusal != null) {
      return error(refusal.code(), refusal.text(), message);
    }
    if (message.type() == MessageType.JOIN && !context.lanes().acceptsNew(room)) {
      return error(ErrorCode.SERVICE_UNAVAILABLE, "the broker is away: join again later", message)
          .retryAfter(context.lanes().retryAfterMillis());
    }
    take(message);
    return null;
  }

  private static ErrorFrame error(ErrorCode code, String text, ClientMessage message) {
    return ErrorFrame.refusal(code, text, message.messageId(), now());
  }

  /** Hands a message to the lane; the lock is held. */
  private void take(ClientMessage message) {
    admission.take(message);
    boolean space = context.lanes().offer(outgoing(message, now(), false), this);
    context.meter().accepted();
    if (!space) {
      pauseLocked(Pauses.Reason.LANE);
    }
    if (admission.isWindowFull()) {
      pauseLocked(Pauses.Reason.WINDOW);
    }
  }

  private Outgoing outgoing(ClientMessage content, long serverMillis, boolean synthetic) {
    ClientMessage named = content.named();
    ChatMessage message = new ChatMessage(named, room, serverMillis, origin, synthetic);
    return named.type() == MessageType.JOIN
        ? new Outgoing.Join(message, System.nanoTime())
        : new Outgoing.Line(
            room, LineWriter.line(message), message.messageId(), named.type(), System.nanoTime());
  }

  // --- what came back, on the shard's consumer thread

  @Override
  public synchronized void cameBack(int messages) {
    admission.cameBack(messages);
    if (admission.isWindowHalfOpen()) {
      resumeLocked(Pauses.Reason.WINDOW);
    }
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

  /** A range of the room was written, so this connection's JOIN was. */
  private void showEarly() {
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

  @Override
  public void laneDrained() {
    resume(Pauses.Reason.LANE);
  }

  /** Whether the connection is a member, or has own messages under way. */
  synchronized boolean isConcerned() {
    return admission.isJoined() || admission.underWay() > 0;
  }

  synchronized boolean isPaused() {
    return !pauses.isEmpty();
  }

  // --- answers to this connection alone

  private void refuse(ErrorFrame error) {
    context.meter().refused(error.code().name());
    tell(MessageCodec.error(error));
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

  @Override
  public void close(CloseReason reason) {
    synchronized (this) {
      if (closing != null || ended) {
        return;
      }
      closing = reason;
      silent = reason == CloseReason.TAKEN_OVER;
    }
    switch (reason) {
      case SLOW_CONSUMER -> sink.cut(reason);
      case PEER_LOST -> sink.abort(reason);
      default -> sink.finish(reason, text(reason));
    }
  }

  private static String text(CloseReason reason) {
    if (reason != CloseReason.GOING_AWAY) {
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
      showEarly();
      if (isSampled()) {
        context.meter().writeTook(Duration.ofNanos(System.nanoTime() - startedNanos));
      }
    }
  }

  /**
   * A paused connection would never see the client's answer to our close. For the container it has
   * ended with that close already; its socket stays until the answer.
   */
  private synchronized void readTheAnswer() {
    pauses.removeAll();
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
      ClientMessage join = admission.takeJoined();
      if (join != null && !silent) {
        long millis = now();
        Outgoing leave = outgoing(leaveOf(join, millis), millis, true);
        boolean _ = context.lanes().offer(leave, () -> {});
      }
    }
  }

  private static ClientMessage leaveOf(ClientMessage join, long millis) {
    String timestamp = TIMESTAMP.format(Instant.ofEpochMilli(millis));
    return new ClientMessage(
        MessageType.LEAVE, join.userId(), join.username(), "", timestamp, null);
  }

  // --- heartbeat, on the timer's thread

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

  private static long now() {
    return System.currentTimeMillis();
  }
}
