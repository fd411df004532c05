package dev.chatflow.client.engine;

import dev.chatflow.client.plan.Connecting;
import dev.chatflow.client.record.Phase;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.transport.Connection;
import dev.chatflow.client.transport.ConnectionEvents;
import dev.chatflow.client.verify.SenderLog;
import dev.chatflow.client.wire.Notice;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * One member of one room: its connection and where it stands.
 *
 * <p>Belongs to the load thread of its room.
 */
final class User implements ConnectionEvents {

  /** Where a user stands. */
  enum State {
    NEW,
    CONNECTING,
    WAITING,
    OPEN,
    JOINING,
    JOINED,
    LEAVING,
    LEFT,
    CLOSING,
    CLOSED,
    LOST
  }

  private final LoadContext context;
  private final Room room;
  private final int place;
  private final int index;
  private final Sender sender;
  private final @Nullable SlowReader slow;
  private final @Nullable Poster poster;
  private final int wave;
  private final UserFigures figures;

  private State state = State.NEW;
  private @Nullable Connection connection;
  private long stateNanos;
  private long retryNanos;
  private int attempts;
  private int joinsWritten;
  private boolean comingBack;
  private boolean rejoining;
  private long lostNanos;

  User(LoadContext context, Room room, int place, int index) {
    this.context = context;
    this.room = room;
    this.place = place;
    this.index = index;
    sender = new Sender(context, room, place, index);
    int server = context.plan.target().serverOf(index);
    figures = new UserFigures(room.number(), place, index, server, sender);
    slow = context.plan.disturbance().isSlow(index) ? new SlowReader(context) : null;
    wave = context.plan.workload().waveOf(index);
    poster = context.plan.connecting().http() ? new Poster(context, room, this) : null;
  }

  State state() {
    return state;
  }

  int place() {
    return place;
  }

  int index() {
    return index;
  }

  SenderLog log() {
    return sender.log();
  }

  Sender sender() {
    return sender;
  }

  UserFigures figures() {
    return figures;
  }

  int joinsWritten() {
    return joinsWritten;
  }

  /** Whether this user reads on purpose less than it could. */
  boolean isSlow() {
    return slow != null;
  }

  /** Whether the user will neither connect nor send any more. */
  boolean isGone() {
    return state == State.LOST || state == State.CLOSED;
  }

  /** Whether the user is between a lost connection and its next membership. */
  boolean isComingBack() {
    return comingBack && !isGone();
  }

  boolean isSending() {
    return (posts() || state == State.JOINED || rejoining || isComingBack()) && sender.unsent() > 0;
  }

  /** Whether this user's texts go over HTTP. */
  boolean posts() {
    return poster != null;
  }

  /** Whether the group this user belongs to has begun. */
  boolean mayBegin() {
    return wave < context.waves.begun();
  }

  /** Everything is sent and answered. */
  void finished() {
    if (wave >= 0) {
      context.waves.finished(wave);
    }
  }

  /** Whether something of this user is under way. */
  boolean isBusy() {
    return sender.inFlight() > 0 || isComingBack() || isRejoining();
  }

  /** Whether the user is between a LEAVE and the JOIN that follows it. */
  boolean isRejoining() {
    return rejoining && !isGone();
  }

  /** One step of a whole visit: join as soon as connected, leave when done, close. */
  void visit(long now) {
    if (state == State.OPEN) {
      writeJoin(now);
    } else if (state == State.JOINED && sender.unsent() == 0 && sender.inFlight() == 0) {
      writeLeave(now);
    } else if (state == State.LEFT) {
      close(now);
    } else if (isOverdue(now)) {
      abort();
      closed(ABNORMAL, state + " unanswered");
    }
  }

  /** Whether a handshake of a visit takes longer than it may. */
  private boolean isOverdue(long now) {
    boolean waits = state == State.JOINING || state == State.LEAVING || state == State.CLOSING;
    return waits && now - stateNanos > context.plan.connecting().timeout().toNanos();
  }

  void connect(long now) {
    moveTo(State.CONNECTING, now);
    connection =
        context.transport.connect(
            context.endpoints.uriOf(index, room.number()),
            context.endpoints.addressOf(index),
            this);
  }

  /** Lets time pass: gives up a slow attempt, starts a due retry, reads on. */
  void tick(long now) {
    long timeoutNanos = context.plan.connecting().timeout().toNanos();
    if (state == State.CONNECTING && now - stateNanos > timeoutNanos) {
      abort();
      refused("timeout");
    } else if (state == State.WAITING && now >= retryNanos) {
      context.tally.retries++;
      connect(now);
    } else if (state == State.JOINING && retryNanos > 0 && now >= retryNanos) {
      writeJoin(now);
    } else if (state == State.JOINING && comingBack && now - stateNanos > timeoutNanos) {
      abort();
      closed(ABNORMAL, "JOIN unanswered");
    }
    SlowReader reader = slow;
    if (reader != null) {
      reader.tick(connection, now);
    }
    Poster http = poster;
    if (http != null && context.gate.phase() != Phase.CONNECT) {
      http.tick(now);
    }
  }

  void writeJoin(long now) {
    Connection open = connection;
    retryNanos = 0;
    joinsWritten++;
    moveTo(State.JOINING, now);
    if (open != null) {
      sender.writeJoin(open, now);
    }
  }

  /** The server refused the JOIN; it is written again at the given time. */
  void joinRefused(long atNanos) {
    if (state == State.JOINING) {
      joinsWritten--;
      retryNanos = atNanos;
    }
  }

  /** Own JOIN came back. */
  void joined(long now) {
    context.recorder.active().record(Series.JOIN, (now - stateNanos) / 1000);
    context.tally.joinsEchoed++;
    sender.log().echoedAt(0, now);
    moveTo(State.JOINED, now);
    attempts = 0;
    rejoining = false;
    if (comingBack) {
      comingBack = false;
      context.tally.reconnections++;
      context.recorder.active().record(Series.RECOVERY, (now - lostNanos) / 1000);
      sender.resendUnseen();
    }
    pump();
  }

  void writeLeave(long now) {
    Connection open = connection;
    room.leaves(this, now);
    moveTo(State.LEAVING, now);
    if (open != null) {
      sender.writeLeave(open, now);
    }
  }

  void left(long now) {
    sender.log().echoedAt(sender.log().size() - 1, now);
    context.tally.leavesEchoed++;
    moveTo(State.LEFT, now);
    if (rejoining && room.isSending()) {
      writeJoin(now);
    } else {
      rejoining = false;
    }
  }

  /** Writes what may be written now. */
  void pump() {
    Poster http = poster;
    if (http != null) {
      http.pump();
      return;
    }
    Connection open = connection;
    if (state == State.JOINED && open != null) {
      sender.pump(open);
      if (sender.isRejoinDue() && open.isWritable() && room.isSending()) {
        rejoining = true;
        writeLeave(context.now());
      }
    }
  }

  void expire(long now) {
    if (state == State.JOINED && !posts()) {
      sender.expire(now);
      pump();
    }
  }

  /** Own TEXT came back or was refused. */
  void answered(int seq, long now) {
    if (sender.answered(seq, now)) {
      pump();
    }
  }

  /** Ends the connection as a dying network would, and comes back. */
  void drop() {
    abort();
    context.tally.dropped++;
    ended(ABNORMAL, "dropped by the client");
  }

  void close(long now) {
    Poster http = poster;
    if (http != null) {
      http.close();
    }
    Connection open = connection;
    if (open != null && !isGone()) {
      moveTo(State.CLOSING, now);
      open.close(1000);
    } else {
      moveTo(State.CLOSED, now);
    }
  }

  private void abort() {
    Connection open = connection;
    if (open != null) {
      open.abort();
    }
  }

  @Override
  public void opened() {
    long now = context.readTime();
    context.recorder.active().record(Series.CONNECT, (now - stateNanos) / 1000);
    context.tally.connectionsOpened++;
    moveTo(State.OPEN, now);
    SlowReader reader = slow;
    if (reader != null) {
      reader.opened();
    }
    if (comingBack) {
      writeJoin(now);
    }
  }

  @Override
  public void refused(String reason) {
    context.tally.failure(reason);
    if (!retry(0)) {
      context.tally.connectionsFailed++;
      giveUp();
    }
  }

  @Override
  public void text(byte[] bytes, int from, int to) {
    SlowReader reader = slow;
    if (reader != null) {
      reader.took(connection);
    }
    if (context.scan.find(bytes, from, to)) {
      room.received(this, context.scan);
    } else {
      room.noticed(this, Notice.of(bytes, from, to, context.plan.runId()));
    }
  }

  @Override
  public void writable() {
    sender.flushed();
    pump();
  }

  @Override
  public void closed(int code, String reason) {
    if (state == State.CLOSING) {
      moveTo(State.CLOSED, context.now());
      return;
    }
    context.tally.lostConnection(code, isSlow(), comingBack);
    context.tally.failure("connection lost: " + code + " " + reason);
    ended(code, reason);
  }

  private void ended(int code, String reason) {
    long now = context.now();
    if (!comingBack) {
      lostNanos = now;
    }
    boolean member = state == State.JOINED || isComingBack();
    room.lost(this);
    Comeback comeback = Comeback.after(code, reason);
    Phase phase = context.gate.phase();
    boolean useful = phase == Phase.WARMUP || phase == Phase.MAIN || phase == Phase.DRAIN;
    boolean tries = context.plan.disturbance().reconnects() && comeback.allowed() && useful;
    comingBack = member && tries && retry(comeback.delayNanos());
    if (!comingBack) {
      giveUp();
    }
  }

  /** Plans another attempt, unless there were enough. */
  private boolean retry(long delayNanos) {
    Connecting connecting = context.plan.connecting();
    if (attempts++ >= connecting.retries() || context.gate.isStopped()) {
      return false;
    }
    long now = context.now();
    double jitter = ThreadLocalRandom.current().nextDouble();
    moveTo(State.WAITING, now);
    retryNanos = now + Math.max(delayNanos, connecting.backoffNanos(attempts, jitter));
    return true;
  }

  private void giveUp() {
    long now = context.now();
    sender.abandon(now);
    moveTo(State.LOST, now);
  }

  private void moveTo(State next, long now) {
    state = next;
    stateNanos = now;
  }
}
