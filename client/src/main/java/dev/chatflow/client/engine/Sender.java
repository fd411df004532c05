package dev.chatflow.client.engine;

import dev.chatflow.client.plan.Disturbance;
import dev.chatflow.client.plan.Mix;
import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.Phase;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.transport.Connection;
import dev.chatflow.client.transport.FrameBatch;
import dev.chatflow.client.verify.MessageTemplate;
import dev.chatflow.client.verify.SenderLog;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Writes the messages of one user: texts as the load model allows, and unconfirmed ones again after
 * a reconnect.
 *
 * <p>Belongs to the load thread of its room. The number of waiting due times is at most the number
 * of texts of the user.
 */
final class Sender {
  private static final int MAX_WARMUP_WINDOW = 64;
  private static final String SIGNAL_KIND = ",\"kind\":\"load\"";
  private static final int NOTHING_UNWRITTEN = Integer.MAX_VALUE;

  private final LoadContext context;
  private final RoomBook book;
  private final Member member;
  private final MessageTemplate text;
  private final MessageTemplate join;
  private final MessageTemplate leave;
  private final SenderLog log;
  private final int texts;
  private final int warmupTexts;
  private final Mix mix;
  private final int window;
  private final boolean open;
  private final ArrayDeque<Long> dues = new ArrayDeque<>();
  private final BitSet expired = new BitSet();

  private @Nullable MessageTemplate signal;
  private int inFlight;
  private int rejoinedAfter;
  private int oldest = 1;
  private int unwrittenFrom = NOTHING_UNWRITTEN;
  private int resendFrom;
  private int resendTo;

  Sender(LoadContext context, RoomBook book, Member member) {
    this.context = context;
    this.book = book;
    this.member = member;
    log = member.log;
    Plan plan = context.plan;
    text = template(MessageTemplate.Kind.TEXT, context.dataField);
    join = template(MessageTemplate.Kind.JOIN, member.deviceField());
    leave = template(MessageTemplate.Kind.LEAVE, "");
    warmupTexts = plan.workload().warmupTextsOf(member.index);
    texts = warmupTexts + plan.workload().textsOf(member.index);
    mix = plan.workload().roles().mix();
    open = plan.pacing().model() == Pacing.Model.OPEN;
    int most = plan.disturbance().reconnects() ? Disturbance.MAX_UNSEEN : Pacing.UNBOUNDED;
    window = Math.min(plan.pacing().window(), most);
  }

  private MessageTemplate template(MessageTemplate.Kind kind, String fields) {
    MessageTemplate.Author author =
        new MessageTemplate.Author(member.index, member.userId(), member.username());
    return new MessageTemplate(kind, context.plan.runId(), context.texts, author, fields);
  }

  int inFlight() {
    return inFlight;
  }

  /**
   * Returns the number of texts left in this phase; in an open-ended run, those its time allows.
   */
  int unsent() {
    return Math.max(0, (isWarmup() ? warmupTexts : texts) - log.texts());
  }

  /** Returns whether the mix of types requires a LEAVE and a JOIN before the next text. */
  boolean isRejoinDue() {
    int written = log.texts() - warmupTexts;
    return written > rejoinedAfter && unsent() > 0 && mix.rejoinsAfter(member.index, written);
  }

  /** Records that a scheduled message became due. */
  void release(long dueNanos) {
    dues.add(dueNanos);
  }

  /** Returns the next text to post; -1 if none may go now. */
  int beginOne() {
    if (inFlight > 0 || !maySend()) {
      return -1;
    }
    long now = context.now();
    context.stamps.now(System.currentTimeMillis());
    if (log.size() == 0) { // a user without a WebSocket has no JOIN
      log.append(now, now);
      log.echoedAt(0, now);
      log.refuse(0);
    }
    return begin(now);
  }

  byte[] body(int seq) {
    byte[] body = new byte[text.length(seq)];
    text.write(body, 0, seq, log.due(seq) / 1000, context.stamps);
    return body;
  }

  String idOf(int seq) {
    return text.id(seq);
  }

  /**
   * Writes a JOIN.
   *
   * @param fields additional JSON fields, each after a comma
   */
  void writeJoin(Connection connection, long now, String fields) {
    if (log.size() == 0) {
      log.append(now, now);
    }
    context.tally.count(Count.JOINS_WRITTEN);
    writeOne(connection, join, 0, now, fields);
  }

  void writeLeave(Connection connection, long now) {
    int seq = log.append(now, now);
    log.leaves();
    rejoinedAfter = log.texts() - warmupTexts;
    context.tally.count(Count.LEAVES_WRITTEN);
    writeOne(connection, leave, seq, now, "");
  }

  /** Writes a signal. Texts and signals are numbered separately. */
  void writeSignal(Connection connection, long dueNanos) {
    MessageTemplate template =
        signal == null ? template(MessageTemplate.Kind.SIGNAL, SIGNAL_KIND) : signal;
    signal = template;
    book.wroteSignal();
    writeOne(connection, template, member.nextSignal(), dueNanos, "");
  }

  /**
   * Writes allowed messages, at most one batch, resent ones first.
   *
   * <p>Another thread may start the phase in between: its messages are not due earlier.
   */
  void pump(Connection connection) {
    if (!connection.isWritable() || !(context.isSending() || resendFrom < resendTo)) {
      return;
    }
    long now = context.now();
    FrameBatch batch = context.transport.batch();
    context.stamps.now(System.currentTimeMillis());
    boolean full = resend(batch);
    int first = log.size();
    int before = batch.frames();
    while (!full && maySend()) {
      int length = text.length(log.size());
      full = !batch.hasSpaceFor(length);
      if (!full) {
        append(batch, length, Math.max(now, context.gate.phaseNanos()));
      }
    }
    if (batch.frames() > 0) {
      int whole = connection.write(batch);
      int unwritten = first + Math.max(0, whole - before);
      unwrittenFrom = unwritten < log.size() ? unwritten : NOTHING_UNWRITTEN;
      if (full && connection.isWritable()) {
        connection.awaitWritable();
      }
    }
  }

  /** Records that the socket accepted the client's buffered messages. */
  void flushed() {
    if (unwrittenFrom < log.size()) {
      long now = context.now();
      for (int seq = unwrittenFrom; seq < log.size(); seq++) {
        log.writtenAt(seq, now);
      }
    }
    unwrittenFrom = NOTHING_UNWRITTEN;
  }

  /** Writes all unconfirmed messages again after a new JOIN. */
  void resendUnseen() {
    unwrittenFrom = NOTHING_UNWRITTEN;
    skipAnswered();
    resendFrom = oldest;
    resendTo = log.size();
  }

  /** Marks unconfirmed messages as unknown after a new JOIN without the past. */
  void doubtUnseen(long now) {
    unwrittenFrom = NOTHING_UNWRITTEN;
    resendFrom = log.size();
    resendTo = log.size();
    for (skipAnswered(); oldest < log.size(); oldest++) {
      if (log.isText(oldest) && !log.isEchoed(oldest) && !log.isRefused(oldest)) {
        log.doubt(oldest);
        context.tally.count(Count.UNKNOWN);
        expireOldest(now);
      }
    }
  }

  private void skipAnswered() {
    while (oldest < log.size() && (log.isEchoed(oldest) || log.isRefused(oldest))) {
      oldest++;
    }
  }

  private void expireOldest(long now) {
    if (!expired.get(oldest)) {
      expired.set(oldest);
      changeInFlight(-1, now);
    }
  }

  /** Records that a text was echoed or rejected; returns whether that freed space in the window. */
  boolean answered(int seq, long now) {
    if (expired.get(seq)) {
      return false;
    }
    changeInFlight(-1, now);
    return window() != Pacing.UNBOUNDED;
  }

  /** Removes late messages from the window; the ledger still expects them. */
  void expire(long now) {
    long timeoutNanos = context.plan.connecting().timeout().toNanos();
    while (oldest < log.size() && isOver(oldest, now - timeoutNanos)) {
      if (!log.isEchoed(oldest) && !log.isRefused(oldest)) {
        expireOldest(now);
      }
      oldest++;
    }
  }

  /** Records that the connection will not return: nothing is in flight. */
  void abandon(long now) {
    changeInFlight(-inFlight, now);
  }

  private boolean isOver(int seq, long writtenBefore) {
    return log.isEchoed(seq) || log.isRefused(seq) || log.written(seq) < writtenBefore;
  }

  private boolean maySend() {
    return context.isSending()
        && unsent() > 0
        && inFlight < window()
        && (!open || !dues.isEmpty() || isWarmup())
        && !isRejoinDue();
  }

  /** Returns the maximum texts in flight; {@link Pacing#UNBOUNDED} without a limit. */
  private int window() {
    return isWarmup() ? Math.min(window, MAX_WARMUP_WINDOW) : window;
  }

  private boolean isWarmup() {
    return context.gate.phase() == Phase.WARMUP;
  }

  private void append(FrameBatch batch, int length, long now) {
    frame(batch, begin(now), length);
  }

  private int begin(long now) {
    Long scheduled = dues.poll();
    long due = scheduled == null ? now : scheduled;
    int seq = log.append(due, now);
    changeInFlight(1, now);
    context.tally.count(Count.TEXTS_WRITTEN);
    context.halves.sent(now);
    context.run.trace().sent(member.index, seq, now);
    if (scheduled != null) {
      context.recorder.active().record(Series.LAG, (now - due) / 1000);
    }
    book.wrote(due);
    return seq;
  }

  /** Adds resent messages that fit; returns true when the batch is full. */
  private boolean resend(FrameBatch batch) {
    while (resendFrom < resendTo) {
      int seq = resendFrom;
      if (log.isText(seq) && !log.isEchoed(seq) && !log.isRefused(seq)) {
        int length = text.length(seq);
        if (!batch.hasSpaceFor(length)) {
          return true;
        }
        frame(batch, seq, length);
        member.resent(seq);
        context.tally.count(Count.RESENT);
      }
      resendFrom++;
    }
    return false;
  }

  private void frame(FrameBatch batch, int seq, int length) {
    int at = batch.begin(FrameBatch.OP_TEXT, length);
    text.write(batch.bytes(), at, seq, log.due(seq) / 1000, context.stamps);
    batch.end();
  }

  private void writeOne(
      Connection connection, MessageTemplate template, int seq, long now, String more) {
    if (!connection.isWritable()) {
      return; // the connection just ended, which its event reports
    }
    FrameBatch batch = context.transport.batch();
    context.stamps.now(System.currentTimeMillis());
    byte[] fields = more.getBytes(StandardCharsets.UTF_8);
    int at = batch.begin(FrameBatch.OP_TEXT, template.length(seq) + fields.length);
    template.write(batch.bytes(), at, seq, now / 1000, context.stamps);
    template.extend(batch.bytes(), at, seq, fields);
    batch.end();
    connection.write(batch);
  }

  private void changeInFlight(int by, long now) {
    inFlight += by;
    context.changeInFlight(by, now);
  }
}
