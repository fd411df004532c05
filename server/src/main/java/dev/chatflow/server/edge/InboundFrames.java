package dev.chatflow.server.edge;

import dev.chatflow.message.ChatMessage;
import dev.chatflow.message.ClientMessage;
import dev.chatflow.message.ClientRules;
import dev.chatflow.message.ErrorCode;
import dev.chatflow.message.ErrorFrame;
import dev.chatflow.message.Extras;
import dev.chatflow.message.LineWriter;
import dev.chatflow.message.MessageCodec;
import dev.chatflow.message.MessageType;
import dev.chatflow.message.Parsed;
import dev.chatflow.room.CloseReason;
import dev.chatflow.server.publish.LaneSender;
import dev.chatflow.server.publish.OfferResult;
import dev.chatflow.server.publish.WaitingLine;
import dev.chatflow.support.RateLimit;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Passes the text messages of one connection to the lane of its shard, or rejects them.
 *
 * <p>The container delivers messages one at a time; lane and timer threads call the rest.
 */
final class InboundFrames implements LaneSender {

  /** A JOIN that its lane does not accept within this time is rejected with 503. */
  private static final Duration JOIN_PATIENCE = Duration.ofSeconds(5);

  /** Maximum number of signals in a second: enough to follow a person who types or points. */
  private static final int SIGNALS_PER_SECOND = 10;

  /**
   * After a message beyond the rate all messages are rejected for this time, so that later ones in
   * flight cannot overtake it. Afterwards the bucket is full again.
   */
  private static final Duration RATE_PAUSE = Duration.ofSeconds(1);

  private final ChatConnection connection;
  private final ConnectionContext context;
  private final @Nullable RateLimit rate;
  private final RateLimit signals = new RateLimit(SIGNALS_PER_SECOND);
  private final @Nullable ControlFrames control;
  private final ClientRules rules;

  // Used only by the container's thread.
  private long refusesUntil;
  private boolean refuses;

  // Guarded by the connection.
  private final Faults faults = new Faults();

  /** Messages that the lane does not accept yet: the connection is not read, so there are few. */
  private final ArrayDeque<ClientMessage> held = new ArrayDeque<>(1);

  private int holds;

  InboundFrames(ChatConnection connection) {
    this.connection = connection;
    this.context = connection.context;
    this.rules = connection.visitor.rules(connection.room, context.config().rules());
    int perSecond = context.config().ratePerSecond();
    boolean limited = perSecond > 0 && !connection.visitor.isExempt();
    this.rate = limited ? new RateLimit(perSecond) : null;
    this.control = limited ? new ControlFrames(perSecond, context.timer().nanoTime()) : null;
  }

  /** Counts a piece of a message. */
  void piece() {
    if (control != null) {
      control.piece();
    }
  }

  /**
   * Returns whether the connection has sent too many pings and pongs. Called by the timer's thread.
   */
  boolean isFlood() {
    return control != null
        && control.isFlood(connection.wire.framesRead(), context.timer().nanoTime());
  }

  /** Handles one text message. */
  void receive(String frame) {
    connection.received();
    if (ChatConnection.isSampled()) {
      long started = context.timer().nanoTime();
      handle(frame);
      context.meter().acceptTook(Duration.ofNanos(context.timer().nanoTime() - started));
    } else {
      handle(frame);
    }
  }

  private void handle(String frame) {
    closeAfterPause();
    if (connection.end.takesNothing()) {
      return; // read after the end was decided: the client sends it again elsewhere
    }
    long wait = rate == null ? 0 : waitMillis(rate, context.timer().nanoTime());
    Parsed parsed = MessageCodec.parse(frame, connection.room, rules);
    ErrorFrame error = wait > 0 ? tooMany(parsed, wait) : admit(parsed);
    if (error != null) {
      refuse(error);
    }
    judge(parsed, error);
  }

  /**
   * Closes the connection after a pause of the process: messages that waited through it, in the
   * socket or here, are not accepted.
   */
  private void closeAfterPause() {
    if (context.wasPaused().getAsBoolean()) {
      connection.closeWithLeave(CloseReason.COME_BACK);
    }
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
    return rateLimited("more messages per second than allowed", id, waitMillis);
  }

  private ErrorFrame rateLimited(String text, @Nullable String messageId, long waitMillis) {
    return ErrorFrame.refusal(ErrorCode.RATE_LIMITED, text, messageId, now())
        .retryAfter(waitMillis);
  }

  /** Only the signal beyond the rate is rejected, because nothing depends on it. */
  private @Nullable ErrorFrame tooManySignals(ClientMessage message) {
    long wait = message.type() == MessageType.SIGNAL ? signals.take(context.timer().nanoTime()) : 0;
    return wait == 0
        ? null
        : rateLimited(
            "more than " + SIGNALS_PER_SECOND + " signals per second", message.messageId(), wait);
  }

  private @Nullable ErrorFrame admit(Parsed parsed) {
    return switch (parsed) {
      case Parsed.Malformed malformed -> ErrorFrame.of(malformed, now());
      case Parsed.Invalid invalid -> ErrorFrame.of(invalid, now());
      case Parsed.Valid(ClientMessage message) -> {
        ErrorFrame tooMany = tooManySignals(message);
        yield tooMany == null ? takeOrRefuse(message) : tooMany;
      }
      case Parsed.Ping _ -> {
        connection.tell(MessageCodec.pong());
        yield null;
      }
    };
  }

  private void refuse(ErrorFrame error) {
    context.meter().refused(error.code().name());
    connection.tell(MessageCodec.error(error));
    if (error.code() == ErrorCode.FORBIDDEN) {
      connection.close(CloseReason.NO_ACCESS);
    }
  }

  private void judge(Parsed parsed, @Nullable ErrorFrame error) {
    boolean tooMany;
    synchronized (connection) {
      tooMany = faults.judge(parsed, error);
    }
    if (tooMany) {
      connection.close(CloseReason.REFUSED);
    }
  }

  private @Nullable ErrorFrame takeOrRefuse(ClientMessage message) {
    synchronized (connection) {
      if (connection.end.takesNothing()) {
        return null;
      }
      if (!held.isEmpty()) {
        held.add(message); // it was inside the container when reading stopped
        return null;
      }
      ErrorFrame refusal = refusal(message);
      if (refusal == null && !take(message)) {
        hold(message);
      }
      return refusal;
    }
  }

  // --- under the connection's lock

  private @Nullable ErrorFrame refusal(ClientMessage message) {
    Admission.Refusal refusal = connection.admission.refusal(message);
    if (refusal != null) {
      return error(refusal.code(), refusal.text(), message);
    }
    ErrorFrame silent = refusalToSpeak(message);
    return silent == null && message.type() == MessageType.JOIN ? refusalOfJoin(message) : silent;
  }

  /** The room also sees the text and data of a JOIN or LEAVE. */
  private @Nullable ErrorFrame refusalToSpeak(ClientMessage message) {
    boolean speaks =
        !message.type().changesMembership()
            || !message.message().isEmpty()
            || !message.extras().equals(Extras.NONE);
    String refusal =
        speaks ? connection.visitor.identity().refusalToSpeakIn(connection.room) : null;
    return refusal == null ? null : error(ErrorCode.READ_ONLY, refusal, message);
  }

  private @Nullable ErrorFrame refusalOfJoin(ClientMessage join) {
    String refusal = context.gate().refusalAs(connection.visitor.identity(), join);
    if (refusal != null) {
      return error(ErrorCode.FORBIDDEN, refusal, join);
    }
    return context.lanes().acceptsNew(connection.room) ? null : unavailable(join);
  }

  private ErrorFrame unavailable(ClientMessage join) {
    connection.startJoinTimeout(); // the client is not at fault
    return error(ErrorCode.SERVICE_UNAVAILABLE, "the broker is unavailable: join again later", join)
        .retryAfter(context.lanes().retryAfterMillis());
  }

  private ErrorFrame error(ErrorCode code, String text, ClientMessage message) {
    return ErrorFrame.refusal(code, text, message.messageId(), now());
  }

  /** Hands a message to the lane; false if the lane does not accept it now. */
  private boolean take(ClientMessage message) {
    if (message.type() == MessageType.LEAVE) {
      context.meter().accepted();
      context.leaves().owe(chatMessage(message), connection.joins.isBack());
      connection.admission.take(message);
      connection.startJoinTimeout();
      return true;
    }
    OfferResult offer = context.lanes().offer(connection.room, read -> line(message, read), this);
    if (offer == OfferResult.NOT_NOW) {
      return false;
    }
    connection.admission.take(message);
    context.meter().accepted();
    if (offer == OfferResult.ACCEPTED_AND_FULL) {
      connection.pauses.add(Pauses.Reason.LANE);
    }
    if (connection.admission.isWindowFull()) {
      connection.pauses.add(Pauses.Reason.WINDOW);
    }
    return true;
  }

  /**
   * Builds the line. Also runs within the lane's lock, so that the JOIN with the lower stamp is in
   * the lane first.
   */
  private WaitingLine line(ClientMessage content, long read) {
    if (content.type() == MessageType.JOIN) {
      connection.joins.accepted(content);
    }
    ChatMessage message = chatMessage(content);
    return new WaitingLine(
        connection.room,
        LineWriter.line(message),
        message.messageId(),
        content.type(),
        read,
        context.timer().nanoTime(),
        null);
  }

  private ChatMessage chatMessage(ClientMessage content) {
    boolean quiet = content.type().changesMembership() && context.quiet().test(connection.room);
    return new ChatMessage(
        content.named(), connection.room, now(), connection.origin(), false, false, quiet);
  }

  private void hold(ClientMessage message) {
    held.add(message);
    int hold = ++holds;
    connection.pauses.add(Pauses.Reason.LANE);
    if (message.type() == MessageType.JOIN) {
      context.timer().after(JOIN_PATIENCE, () -> joinWaited(message, hold));
    }
  }

  /** Handles the end of the connection. */
  void ended() {
    held.clear();
  }

  // --- held messages

  /** Rejects a JOIN that the lane did not accept in time, and all messages up to the next JOIN. */
  private void joinWaited(ClientMessage join, int hold) {
    ErrorFrame refusal;
    synchronized (connection) {
      if (holds != hold || !join.equals(held.peek())) {
        return;
      }
      held.remove();
      faults.joinPutOff();
      refusal = unavailable(join);
    }
    refuse(refusal);
    laneIsFree();
  }

  /** Offers the held messages again, in order. */
  @Override
  public void laneIsFree() {
    closeAfterPause();
    List<ErrorFrame> refusals = new ArrayList<>();
    synchronized (connection) {
      if (connection.end.takesNothing()) {
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
        connection.pauses.remove(Pauses.Reason.LANE);
      }
    }
    refusals.forEach(this::refuse);
  }

  private long now() {
    return context.timer().millis();
  }
}
