package dev.chatflow.client.engine;

import dev.chatflow.client.engine.UserState.Event;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.Phase;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.transport.Connection;
import dev.chatflow.client.transport.ConnectionEvents;
import dev.chatflow.client.verify.Notice;
import dev.chatflow.client.verify.SenderLog;
import org.jspecify.annotations.Nullable;

/**
 * One member of one room: its connection, and what it does when something happens to it.
 *
 * <p>Belongs to the load thread of its room.
 */
public final class User implements Renewal.Mover {
  private final LoadContext context;
  private final Receipts room;
  private final int roomNumber;
  private final int place;
  private final int index;
  private final int wave;
  private final Sender sender;
  private final Attempts attempts;
  private final Comeback comeback;
  private final Past past;
  private final Inbox inbox;
  private final UserFigures figures;
  private final @Nullable SlowReader slow;
  private final @Nullable Poster poster;
  private final Pass pass;
  private final Renewal renewal;

  private UserState state = UserState.NEW;
  private @Nullable Connection connection;
  private long stateNanos;
  private long askedNanos;
  private long joinMicros;
  private boolean joinRefused;
  private boolean joinAbandoned;
  private int joinsWritten;

  /**
   * A user that did nothing yet.
   *
   * @param place in its room, from 0
   * @param index over all rooms, from 0
   */
  User(LoadContext context, Receipts room, int roomNumber, int place, int index) {
    this.context = context;
    this.room = room;
    this.roomNumber = roomNumber;
    this.place = place;
    this.index = index;
    sender = new Sender(context, room, place, index);
    attempts = new Attempts(context);
    past = new Past(context.plan, context.tally);
    inbox = new Inbox(context, room, this, past);
    int server = context.plan.target().serverOf(index);
    comeback = new Comeback(context, server);
    figures = new UserFigures(roomNumber, place, index, server, sender);
    slow = context.plan.disturbance().isSlow(index) ? new SlowReader(context) : null;
    wave = context.plan.workload().waveOf(index);
    poster = context.plan.connecting().http() ? new Poster(context, room, this) : null;
    pass =
        new Pass(context.tokens, sender.userId(), sender.username(), Integer.toString(roomNumber));
    renewal = new Renewal(context, this, pass);
  }

  UserState state() {
    return state;
  }

  /** The header line that shows its token; empty without one. */
  String pass(long now) {
    return pass.header(now);
  }

  int roomNumber() {
    return roomNumber;
  }

  int place() {
    return place;
  }

  public int index() {
    return index;
  }

  /** Which of the servers it is connected to, or was last. */
  int server() {
    return comeback.server();
  }

  SenderLog log() {
    return sender.log();
  }

  public Sender sender() {
    return sender;
  }

  public UserFigures figures() {
    return figures;
  }

  /** Whether this is the JOIN whose copy this user waits for. */
  boolean isJoin(long dueMicros) {
    return state.isAwaitingJoin() && dueMicros == joinMicros;
  }

  /** Whether it closed its connection while a JOIN was unanswered, which may still be shown. */
  boolean hasAbandonedJoin() {
    return joinAbandoned;
  }

  /** Between a lost connection and the own JOIN on the next one. */
  boolean isComingBack() {
    return state.isComingBack();
  }

  int joinsWritten() {
    return joinsWritten;
  }

  /** Whether this user reads on purpose less than it could. */
  boolean isSlow() {
    return slow != null;
  }

  /** Whether this user's texts go over HTTP. */
  boolean posts() {
    return poster != null;
  }

  public boolean isConnected() {
    return state.isConnected();
  }

  /** Connected, and no JOIN written. */
  public boolean isOpen() {
    return state == UserState.OPEN;
  }

  @Override
  public boolean isJoined() {
    return state == UserState.JOINED;
  }

  /** Without a connection, and without a further attempt. */
  public boolean isLost() {
    return state == UserState.LOST;
  }

  public boolean isGone() {
    return state.isGone();
  }

  /** Whether there are texts that it writes now or soon. */
  public boolean isSending() {
    boolean may = posts() || isJoined() || state.isRejoining() || state.isComingBack();
    return may && sender.unsent() > 0;
  }

  /** Whether something of this user is under way. */
  public boolean isBusy() {
    return sender.inFlight() > 0 || state.isComingBack() || state.isRejoining();
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

  public void connect(long now) {
    attempts.begun();
    if (isComingBack()) {
      comeback.begins(now);
    }
    moved(Event.CONNECT, now);
    connection = dial(this);
  }

  @Override
  public Connection dial(ConnectionEvents events) {
    return context.transport.connect(
        context.endpoints.uriOf(server(), roomNumber),
        context.endpoints.addressOf(server()),
        pass(context.now()),
        events);
  }

  /** One step of a whole visit: join as soon as connected, leave when done, close. */
  public void visit(long now) {
    boolean waits = state.isAwaitingJoin() || state == UserState.LEAVING;
    if (state == UserState.OPEN) {
      writeJoin(now);
    } else if (isJoined() && sender.unsent() == 0 && sender.inFlight() == 0) {
      writeLeave(Event.LEAVE, now);
    } else if (state == UserState.LEFT) {
      close(now);
    } else if ((waits || state == UserState.CLOSING) && isOverdue(now)) {
      abort();
      closed(ABNORMAL, state + " unanswered");
    }
  }

  private boolean isOverdue(long now) {
    return now - stateNanos > timeoutNanos();
  }

  private long timeoutNanos() {
    return context.plan.connecting().timeout().toNanos();
  }

  /** Lets time pass: gives up a slow attempt, starts a due retry, reads on. */
  public void tick(long now) {
    if (state.isAttempting() && isOverdue(now)) {
      abort();
      refused("timeout");
    } else if (state.isBackingOff() && attempts.isDue(now)) {
      context.tally.count(Count.RETRIES);
      connect(now);
    } else if (isJoinRefused() && now - askedNanos >= timeoutNanos()) {
      turnAway(now);
    } else if (state.isAwaitingJoin() && attempts.isDue(now)) {
      writeJoin(now);
    } else if (state == UserState.RETURN_JOINING && isOverdue(now)) {
      abort();
      closed(ABNORMAL, "JOIN unanswered");
    }
    renewal.tick(now);
    SlowReader reader = slow;
    if (reader != null) {
      reader.tick(connection, now);
    }
    Poster http = poster;
    if (http != null && context.gate.phase() != Phase.CONNECT) {
      http.tick(now);
    }
  }

  /** Goes on behind the last frame it has, on a connection with a new token. */
  @Override
  public void move(Connection next) {
    long now = context.now();
    Connection old = connection;
    if (old != null) {
      renewal.leave(old);
    }
    connection = next;
    if (slow != null) {
      slow.opened();
    }
    context.tally.count(Count.RENEWED);
    context.tally.count(Count.CONNECTIONS_OPENED);
    comeback.lost();
    comeback.renews(now);
    room.lost(this, past.lost(NORMAL));
    moved(Event.FAILED, now);
    moved(Event.CONNECT, now);
    moved(Event.OPENED, now);
    writeJoin(now);
  }

  /** Whether the first JOIN was refused and is written again. */
  boolean isJoinRefused() {
    return joinRefused && state == UserState.JOINING;
  }

  /** Gives up a JOIN that is refused again and again. */
  void turnAway(long now) {
    sender.log().refuse(0);
    abort();
    context.tally.count(Count.CONNECTIONS_FAILED);
    context.tally.failure("JOIN refused");
    giveUp(now);
  }

  /** Given up because its JOIN was refused. */
  boolean isTurnedAway() {
    return isLost() && sender.log().isRefused(0);
  }

  /** Writes a JOIN: the first, one more, or one again after a refusal. */
  void writeJoin(long now) {
    Connection open = connection;
    if (state == UserState.OPEN) {
      askedNanos = now;
    }
    attempts.begun();
    joinsWritten++;
    joinMicros = now / 1000;
    room.joining(this, joinMicros);
    moved(Event.JOIN, now);
    String asked = past.ask(state.isComingBack());
    if (open != null) {
      sender.writeJoin(open, now, asked);
    }
  }

  /** Writes a LEAVE: {@link Event#LEAVE}, or {@link Event#PART} when a JOIN will follow. */
  void writeLeave(Event kind, long now) {
    Connection open = connection;
    room.leaving(this, now);
    moved(kind, now);
    if (open != null) {
      sender.writeLeave(open, now);
    }
  }

  /** Writes what may be written now. */
  public void pump() {
    Poster http = poster;
    if (http != null) {
      http.pump();
      return;
    }
    Connection open = connection;
    if (isJoined() && open != null) {
      sender.pump(open);
      if (sender.isRejoinDue() && open.isWritable() && context.isSending()) {
        writeLeave(Event.PART, context.now());
      }
    }
  }

  /** Frees the window of messages that got no answer in time. */
  public void expire(long now) {
    if (isJoined() && !posts()) {
      sender.expire(now);
      pump();
    }
  }

  /** Ends the connection as a dying network would, and comes back. */
  public void drop() {
    abort();
    context.tally.count(Count.DROPPED);
    ended(ABNORMAL, "dropped by the client");
  }

  public void close(long now) {
    Poster http = poster;
    if (http != null) {
      http.close();
    }
    renewal.end();
    Connection open = connection;
    joinAbandoned = state.isAwaitingJoin();
    moved(Event.CLOSE, now);
    if (open != null && state == UserState.CLOSING) {
      open.close(1000);
    } else {
      abort(); // an attempt that nobody waits for any more
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
    context.tally.count(Count.CONNECTIONS_OPENED);
    pass.taken();
    boolean back = state.isComingBack();
    moved(Event.OPENED, now);
    SlowReader reader = slow;
    if (reader != null) {
      reader.opened();
    }
    if (back) {
      writeJoin(now);
    }
  }

  @Override
  public void refused(String reason) {
    context.tally.failure(reason);
    boolean wrong = context.tally.of(Count.CONNECTIONS_OPENED) == 0 && Comeback.isPermanent(reason);
    if (wrong || !retry(0)) {
      context.tally.count(Count.CONNECTIONS_FAILED);
      giveUp(context.now());
    }
  }

  @Override
  public void text(byte[] bytes, int from, int to) {
    SlowReader reader = slow;
    if (reader != null) {
      reader.took(connection);
    }
    inbox.took(bytes, from, to);
  }

  /** The server refuses a message of this user. */
  void refusal(Notice.Refusal refusal) {
    context.tally.rejected(refusal.errorCode());
    if (refusal.seq() == 0 && state.isAwaitingJoin()) {
      joinsWritten--;
      joinRefused = true;
      attempts.postpone(context.now() + Math.max(1, refusal.retryAfterMillis()) * 1_000_000);
    } else if (refusal.seq() > 0 && room.refused(this, refusal.seq())) {
      answered(refusal.seq(), context.readTime());
    }
  }

  /** The own JOIN came. */
  void joined(long now) {
    boolean back = state.isComingBack();
    context.recorder.active().record(Series.JOIN, (now - stateNanos) / 1000);
    context.tally.count(Count.JOINS_ECHOED);
    sender.log().echoedAt(0, now);
    moved(Event.JOINED, now);
    attempts.succeeded();
    renewal.joined();
    if (back) {
      cameBack(now);
    }
    pump();
  }

  private void cameBack(long now) {
    comeback.succeeded(past.isResumed(), now);
    if (past.cameBack()) {
      sender.resendUnseen();
    } else {
      sender.doubtUnseen(now);
    }
  }

  /** The own LEAVE came. */
  void left(long now) {
    boolean parting = state == UserState.PARTING;
    sender.log().echoedAt(sender.log().size() - 1, now);
    context.tally.count(Count.LEAVES_ECHOED);
    moved(Event.LEFT, now);
    if (parting && context.isSending()) {
      writeJoin(now);
    }
  }

  /** The own text came, or was refused. */
  void answered(int seq, long now) {
    if (sender.answered(seq, now)) {
      pump();
    }
  }

  @Override
  public void writable() {
    sender.flushed();
    pump();
  }

  @Override
  public void closed(int code, String reason) {
    if (state == UserState.CLOSING) {
      moved(Event.ENDED, context.now());
      return;
    }
    context.tally.lostConnection(code, isSlow(), state.isComingBack());
    context.tally.failure("connection lost: " + code + " " + reason);
    ended(code, reason);
  }

  private void ended(int code, String reason) {
    renewal.end();
    if (!state.isComingBack()) {
      comeback.lost();
    }
    room.lost(this, past.lost(code));
    Comeback.Leave leave = comeback.ended(code, reason, state.isAwaitingJoin(), pass.isRenewable());
    Phase phase = context.gate.phase();
    boolean useful = phase == Phase.WARMUP || phase == Phase.MAIN || phase == Phase.DRAIN;
    boolean tries = context.plan.disturbance().reconnects() && leave.allowed() && useful;
    if (!tries || !retry(leave.delayNanos())) {
      giveUp(context.now());
    }
  }

  /** Plans another attempt, unless there were enough or none is wanted in this state. */
  private boolean retry(long delayNanos) {
    long now = context.now();
    boolean planned = state.allows(Event.FAILED) && attempts.plan(delayNanos, now);
    if (planned) {
      moved(Event.FAILED, now);
    }
    return planned;
  }

  private void giveUp(long now) {
    sender.abandon(now);
    room.gaveUp(this);
    moved(Event.GIVEN_UP, now);
  }

  private void moved(Event event, long now) {
    if (state.allows(event)) {
      state = state.after(event);
      stateNanos = now;
    }
  }
}
