package dev.chatflow.client.engine;

import dev.chatflow.client.engine.UserState.Event;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.Phase;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.transport.Connection;
import dev.chatflow.client.transport.ConnectionEvents;
import dev.chatflow.client.verify.FrameScan;
import dev.chatflow.client.verify.Notice;
import org.jspecify.annotations.Nullable;

/**
 * One member of one room: its connection, and its reactions to events.
 *
 * <p>Belongs to the load thread of its room.
 */
final class User implements Renewal.Mover {
  private final LoadContext context;
  private final RoomBook book;
  private final Member member;
  private final Sender sender;
  private final Attempts attempts;
  private final Reconnect comeback;
  private final Past past;
  private final Inbox inbox;
  private final @Nullable SlowReader slow;
  private final @Nullable Poster poster;
  private final Pass pass;
  private final Renewal renewal;
  private @Nullable Connection connection;
  private long askedNanos;
  private boolean joinRefused;

  /** Creates a new user. */
  User(LoadContext context, RoomBook book, Member member) {
    this.context = context;
    this.book = book;
    this.member = member;
    sender = new Sender(context, book, member);
    attempts = new Attempts(context);
    past = new Past(context.plan, context.tally);
    inbox = new Inbox(context, book, member, past);
    comeback = new Reconnect(context, member.server());
    slow = member.isSlow ? new SlowReader(context) : null;
    String room = Integer.toString(member.room);
    pass = new Pass(context.run.tokens(), member.userId(), member.username(), room);
    poster = member.posts ? new Poster(context, book, member, sender, pass) : null;
    renewal = new Renewal(context, this, pass);
  }

  Member member() {
    return member;
  }

  Sender sender() {
    return sender;
  }

  UserState state() {
    return member.state();
  }

  @Override
  public boolean isJoined() {
    return state() == UserState.JOINED;
  }

  boolean isDisconnected() {
    return state().isDisconnected();
  }

  /** Returns whether it has texts to write now or soon. */
  boolean isSending() {
    boolean may = member.posts || isJoined() || state().isRejoining() || state().isComingBack();
    return may && sender.unsent() > 0;
  }

  /** Returns whether an operation of this user is in progress. */
  boolean isBusy() {
    return sender.inFlight() > 0 || state().isComingBack() || state().isRejoining();
  }

  void connect(long now) {
    attempts.begun();
    if (state().isComingBack()) {
      comeback.begins(now);
      member.connectsTo(comeback.server());
    }
    member.moved(Event.CONNECT, now);
    connection = dial(this);
  }

  @Override
  public Connection dial(ConnectionEvents events) {
    return context.transport.connect(
        context.run.endpoints().uriOf(member.server(), member.room),
        context.run.endpoints().addressOf(member.server()),
        pass.header(context.now()),
        events);
  }

  /** Runs one step of a complete visit: join when connected, leave when done, close. */
  void visit(long now) {
    boolean waits = state().isAwaitingJoin() || state() == UserState.LEAVING;
    if (state() == UserState.OPEN) {
      writeJoin(now);
    } else if (isJoined() && sender.unsent() == 0 && sender.inFlight() == 0) {
      writeLeave(Event.LEAVE, now);
    } else if (state() == UserState.LEFT) {
      close(now);
    } else if ((waits || state() == UserState.CLOSING) && isOverdue(now)) {
      abort();
      closed(ABNORMAL, state() + " unanswered");
    }
  }

  private boolean isOverdue(long now) {
    return now - member.stateNanos() > timeoutNanos();
  }

  private long timeoutNanos() {
    return context.plan.connecting().timeout().toNanos();
  }

  /** Gives up a late attempt, starts a due one, and continues reading. */
  void tick(long now) {
    if (state().isAttempting() && isOverdue(now)) {
      abort();
      refused("timeout");
    } else if (state().isBackingOff() && attempts.isDue(now)) {
      context.tally.count(Count.RETRIES);
      connect(now);
    } else if (isJoinRefused() && now - askedNanos >= timeoutNanos()) {
      turnAway(now);
    } else if (state().isAwaitingJoin() && attempts.isDue(now)) {
      writeJoin(now);
    } else if (state() == UserState.RETURN_JOINING && isOverdue(now)) {
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

  /** Resumes after its last frame on a connection with a new token. */
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
    book.lost(member, past.lost(NORMAL));
    member.moved(Event.FAILED, now);
    member.moved(Event.CONNECT, now);
    member.moved(Event.OPENED, now);
    writeJoin(now);
  }

  /** Returns whether the first JOIN was rejected and is written again. */
  boolean isJoinRefused() {
    return joinRefused && state() == UserState.JOINING;
  }

  /** Gives up a JOIN that is rejected repeatedly. */
  void turnAway(long now) {
    member.log.refuse(0);
    abort();
    context.tally.count(Count.CONNECTIONS_FAILED);
    context.tally.failure("JOIN refused");
    giveUp(now);
  }

  /** Returns whether it was given up because its JOIN was rejected. */
  boolean isTurnedAway() {
    return state() == UserState.LOST && member.log.isRefused(0);
  }

  /** Writes a JOIN: the first, a further one, or a repeated one after a rejection. */
  void writeJoin(long now) {
    Connection open = connection;
    if (state() == UserState.OPEN) {
      askedNanos = now;
    }
    attempts.begun();
    member.writesJoin(now / 1000);
    book.joining(member, now / 1000);
    member.moved(Event.JOIN, now);
    String fields = past.ask(state().isComingBack());
    if (open != null) {
      sender.writeJoin(open, now, fields);
    }
  }

  /** Writes a LEAVE: {@link Event#LEAVE}, or {@link Event#PART} when a JOIN will follow. */
  void writeLeave(Event kind, long now) {
    Connection open = connection;
    book.leaving(member, now);
    member.moved(kind, now);
    if (open != null) {
      sender.writeLeave(open, now);
    }
  }

  /** Writes the messages that may be written now. */
  void pump() {
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

  /** Writes a signal if that is possible now; returns whether it was. */
  boolean signal(long dueNanos) {
    Connection open = connection;
    if (!isJoined() || open == null || !open.isWritable()) {
      return false;
    }
    sender.writeSignal(open, dueNanos);
    return true;
  }

  /** Removes late messages from the window. */
  void expire(long now) {
    if (isJoined() && !member.posts) {
      sender.expire(now);
      pump();
    }
  }

  /** Drops the connection like a lost network, and reconnects. */
  void drop() {
    abort();
    context.tally.count(Count.DROPPED);
    ended(ABNORMAL, "dropped by the client");
  }

  void close(long now) {
    Poster http = poster;
    if (http != null) {
      http.close();
    }
    renewal.end();
    Connection open = connection;
    member.closes();
    member.moved(Event.CLOSE, now);
    if (open != null && state() == UserState.CLOSING) {
      open.close(1000);
    } else {
      abort(); // an abandoned attempt
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
    context.recorder.active().record(Series.CONNECT, (now - member.stateNanos()) / 1000);
    context.tally.count(Count.CONNECTIONS_OPENED);
    pass.installed();
    boolean back = state().isComingBack();
    member.moved(Event.OPENED, now);
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
    boolean wrong =
        context.tally.of(Count.CONNECTIONS_OPENED) == 0 && Reconnect.isPermanent(reason);
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
    boolean found = context.scan.find(bytes, from, to);
    if (FrameScan.isSignal(bytes, from, to)) {
      inbox.signal(found);
    } else if (found) {
      took(inbox.message(bytes, from, to), context.readTime());
    } else {
      Notice.Refusal refusal = inbox.notice(bytes, from, to);
      if (refusal != null) {
        refused(refusal);
      }
    }
  }

  private void took(RoomBook.Receipt receipt, long now) {
    switch (receipt) {
      case OWN_TEXT -> answered(context.scan.seq(), now);
      case OWN_JOIN -> joined(now);
      case OWN_LEAVE -> left(now);
      case TAKEN -> {} // the message of another member
    }
  }

  /** Handles a rejection of this user's message. */
  private void refused(Notice.Refusal refusal) {
    context.tally.rejected(refusal.errorCode());
    if (refusal.ofSignal()) {
      book.signalRefused();
    } else if (refusal.seq() == 0 && state().isAwaitingJoin()) {
      member.joinWasRefused();
      joinRefused = true;
      attempts.postpone(context.now() + Math.max(1, refusal.retryAfterMillis()) * 1_000_000);
    } else if (refusal.seq() > 0 && book.refused(member, refusal.seq())) {
      answered(refusal.seq(), context.readTime());
    }
  }

  /** Handles the user's JOIN. */
  private void joined(long now) {
    boolean back = state().isComingBack();
    context.recorder.active().record(Series.JOIN, (now - member.stateNanos()) / 1000);
    context.tally.count(Count.JOINS_ECHOED);
    member.log.echoedAt(0, now);
    member.moved(Event.JOINED, now);
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

  /** Handles the user's LEAVE. */
  private void left(long now) {
    boolean parting = state() == UserState.PARTING;
    member.log.echoedAt(member.log.size() - 1, now);
    context.tally.count(Count.LEAVES_ECHOED);
    member.moved(Event.LEFT, now);
    if (parting && context.isSending()) {
      writeJoin(now);
    }
  }

  /** Handles the echo or the rejection of the user's text. */
  private void answered(int seq, long now) {
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
    if (state() == UserState.CLOSING) {
      member.moved(Event.ENDED, context.now());
      return;
    }
    context.tally.lostConnection(code, member.isSlow, state().isComingBack());
    context.tally.failure("connection lost: " + code + " " + reason);
    ended(code, reason);
  }

  private void ended(int code, String reason) {
    renewal.end();
    if (!state().isComingBack()) {
      comeback.lost();
    }
    book.lost(member, past.lost(code));
    Reconnect.Leave leave =
        comeback.ended(code, reason, state().isAwaitingJoin(), pass.isRenewable());
    Phase phase = context.gate.phase();
    boolean useful = phase == Phase.WARMUP || phase == Phase.MAIN || phase == Phase.DRAIN;
    boolean tries = context.plan.disturbance().reconnects() && leave.allowed() && useful;
    if (!tries || !retry(leave.delayNanos())) {
      giveUp(context.now());
    }
  }

  /** Plans another attempt, unless the limit is reached or the state allows none. */
  private boolean retry(long delayNanos) {
    long now = context.now();
    boolean planned = state().allows(Event.FAILED) && attempts.plan(delayNanos, now);
    if (planned) {
      member.moved(Event.FAILED, now);
    }
    return planned;
  }

  private void giveUp(long now) {
    sender.abandon(now);
    book.gaveUp(member);
    member.moved(Event.GIVEN_UP, now);
  }
}
