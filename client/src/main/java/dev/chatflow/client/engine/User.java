package dev.chatflow.client.engine;

import dev.chatflow.client.plan.Connecting;
import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.transport.Connection;
import dev.chatflow.client.transport.ConnectionEvents;
import dev.chatflow.client.transport.FrameBatch;
import dev.chatflow.client.verify.SenderLog;
import dev.chatflow.client.wire.Kind;
import dev.chatflow.client.wire.MessageTemplate;
import dev.chatflow.client.wire.Notice;
import java.util.ArrayDeque;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * One member of one room: its connection, what it sends and what comes back.
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
  private final MessageTemplate text;
  private final MessageTemplate join;
  private final MessageTemplate leave;
  private final SenderLog log;
  private final int texts;
  private final ArrayDeque<Long> dues = new ArrayDeque<>();

  private final BitSet expired = new BitSet();

  private State state = State.NEW;
  private @Nullable Connection connection;
  private long stateNanos;
  private long retryNanos;
  private int attempts;
  private int joinsWritten;
  private int inFlight;
  private int oldest = 1;
  private int unwrittenFrom = Integer.MAX_VALUE;

  User(LoadContext context, Room room, int place, int index) {
    this.context = context;
    this.room = room;
    this.place = place;
    this.index = index;
    String runId = context.plan.runId();
    String userId = Integer.toString(place + 1);
    text = new MessageTemplate(Kind.TEXT, runId, context.texts, index, userId);
    join = new MessageTemplate(Kind.JOIN, runId, context.texts, index, userId);
    leave = new MessageTemplate(Kind.LEAVE, runId, context.texts, index, userId);
    texts = context.plan.workload().textsOf(index);
    log = new SenderLog(context.plan.workload().isOpenEnded() ? 1024 : texts);
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
    return log;
  }

  int joinsWritten() {
    return joinsWritten;
  }

  int inFlight() {
    return inFlight;
  }

  /** Whether the user will neither connect nor send any more. */
  boolean isGone() {
    return state == State.LOST || state == State.CLOSED;
  }

  void connect(long now) {
    moveTo(State.CONNECTING, now);
    connection =
        context.transport.connect(
            context.endpoints.uriOf(index, room.number()),
            context.endpoints.addressOf(index),
            this);
  }

  /** Lets time pass while connecting: gives up a slow attempt, starts a due retry. */
  void connectTick(long now) {
    if (state == State.CONNECTING
        && now - stateNanos > context.plan.connecting().timeout().toNanos()) {
      abort();
      refused("timeout");
    } else if (state == State.WAITING && now >= retryNanos) {
      context.tally.retries++;
      connect(now);
    }
  }

  void writeJoin(long now) {
    if (log.size() == 0) {
      log.append(now, now);
    }
    joinsWritten++;
    context.tally.joinsWritten++;
    moveTo(State.JOINING, now);
    writeOne(join, 0, now);
  }

  /** Own JOIN came back. */
  void joined(long now) {
    if (state == State.JOINING) {
      context.recorder.active().record(Series.JOIN, (now - stateNanos) / 1000);
      context.tally.joinsEchoed++;
      log.echoedAt(0, now);
      moveTo(State.JOINED, now);
    }
  }

  void writeLeave(long now) {
    int seq = log.append(now, now);
    log.endsWithLeave();
    context.tally.leavesWritten++;
    moveTo(State.LEAVING, now);
    writeOne(leave, seq, now);
  }

  void left(long now) {
    log.echoedAt(log.size() - 1, now);
    context.tally.leavesEchoed++;
    moveTo(State.LEFT, now);
  }

  /** A message of the schedule became due. */
  void release(long dueNanos) {
    dues.add(dueNanos);
  }

  /** Texts still to be written; an open-ended run has as many as its time allows. */
  int unsent() {
    return Math.max(0, texts - textsWritten());
  }

  int textsWritten() {
    int size = log.size();
    return size == 0 ? 0 : size - 1 - (log.isLeave(size - 1) ? 1 : 0);
  }

  boolean isSending() {
    return state == State.JOINED && unsent() > 0;
  }

  /** Writes what may be written now, at most one batch. */
  void pump() {
    Connection open = connection;
    if (state != State.JOINED || open == null || !open.isWritable() || !room.isSending()) {
      return;
    }
    long now = context.now();
    FrameBatch batch = context.transport.batch();
    context.stamps.now(System.currentTimeMillis());
    int first = log.size();
    boolean full = false;
    while (!full && maySend()) {
      int length = text.length(log.size());
      full = !batch.hasRoomFor(length);
      if (!full) {
        append(batch, length, now);
      }
    }
    if (batch.frames() > 0) {
      write(open, batch, first);
      if (full && open.isWritable()) {
        open.awaitWritable();
      }
    }
  }

  private boolean maySend() {
    Pacing pacing = context.plan.pacing();
    return unsent() > 0
        && inFlight < pacing.window()
        && (pacing.model() != Pacing.Model.OPEN || !dues.isEmpty());
  }

  private void append(FrameBatch batch, int length, long now) {
    Long scheduled = dues.poll();
    long due = scheduled == null ? now : scheduled;
    int seq = log.append(due, now);
    int at = batch.begin(FrameBatch.OP_TEXT, length);
    text.write(batch.bytes(), at, seq, due / 1000, context.stamps);
    batch.end();
    inFlight++;
    context.changeInFlight(1, now);
    context.tally.textsWritten++;
    if (scheduled != null) {
      context.recorder.active().record(Series.LAG, (now - due) / 1000);
    }
    room.wrote(due);
  }

  private void write(Connection open, FrameBatch batch, int first) {
    int whole = open.write(batch);
    if (first + whole < log.size()) {
      unwrittenFrom = first + whole;
    }
  }

  private void writeOne(MessageTemplate template, int seq, long now) {
    Connection open = connection;
    if (open == null || !open.isWritable()) {
      return; // the connection just ended; its event tells
    }
    FrameBatch batch = context.transport.batch();
    context.stamps.now(System.currentTimeMillis());
    int at = batch.begin(FrameBatch.OP_TEXT, template.length(seq));
    template.write(batch.bytes(), at, seq, now / 1000, context.stamps);
    batch.end();
    open.write(batch);
  }

  /** Own TEXT came back or was refused. */
  void answered(int seq, long now) {
    if (!expired.get(seq)) {
      inFlight--;
      context.changeInFlight(-1, now);
      if (context.plan.pacing().window() != Pacing.UNBOUNDED) {
        pump();
      }
    }
  }

  /** Frees the window of messages that got no answer in time; the ledger still waits for them. */
  void expire(long now) {
    long timeoutNanos = context.plan.connecting().timeout().toNanos();
    while (oldest < log.size()
        && (log.isEchoed(oldest) || log.isRefused(oldest) || isLate(now, timeoutNanos))) {
      oldest++;
    }
    pump();
  }

  private boolean isLate(long now, long timeoutNanos) {
    boolean late = state == State.JOINED && now - log.written(oldest) > timeoutNanos;
    if (late) {
      expired.set(oldest);
      inFlight--;
      context.changeInFlight(-1, now);
    }
    return late;
  }

  void close(long now) {
    Connection open = connection;
    if (open != null && !isGone()) {
      moveTo(State.CLOSING, now);
      open.close(1000);
    } else {
      moveTo(State.CLOSED, now);
    }
  }

  void abort() {
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
  }

  @Override
  public void refused(String reason) {
    Connecting connecting = context.plan.connecting();
    context.tally.failure(reason);
    long now = context.now();
    if (attempts++ < connecting.retries() && !context.gate.isStopped()) {
      moveTo(State.WAITING, now);
      retryNanos = now + connecting.backoffNanos(attempts, Math.random());
    } else {
      context.tally.connectionsFailed++;
      moveTo(State.LOST, now);
    }
  }

  @Override
  public void text(byte[] bytes, int from, int to) {
    if (context.scan.find(bytes, from, to)) {
      room.received(this, context.scan);
    } else {
      room.noticed(this, Notice.of(bytes, from, to, context.plan.runId()));
    }
  }

  @Override
  public void writable() {
    if (unwrittenFrom < log.size()) {
      long now = context.now();
      for (int seq = unwrittenFrom; seq < log.size(); seq++) {
        log.writtenAt(seq, now);
      }
    }
    unwrittenFrom = Integer.MAX_VALUE;
    pump();
  }

  @Override
  public void closed(int code, String reason) {
    long now = context.now();
    if (state == State.CLOSING) {
      moveTo(State.CLOSED, now);
      return;
    }
    context.tally.lostConnection(code);
    context.tally.failure("connection lost: " + code + " " + reason);
    context.changeInFlight(-inFlight, now);
    inFlight = 0;
    moveTo(State.LOST, now);
    room.lost(this);
  }

  private void moveTo(State next, long now) {
    state = next;
    stateNanos = now;
  }

  long stateNanos() {
    return stateNanos;
  }
}
