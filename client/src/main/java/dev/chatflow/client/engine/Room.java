package dev.chatflow.client.engine;

import dev.chatflow.client.plan.Judging;
import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.plan.Target;
import dev.chatflow.client.record.Clock;
import dev.chatflow.client.record.ConnectionFigures;
import dev.chatflow.client.record.Phase;
import dev.chatflow.client.record.RoomFigures;
import dev.chatflow.client.record.SenderFigures;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.record.SeriesSet;
import dev.chatflow.client.verify.Defect;
import dev.chatflow.client.verify.RoomLedger;
import dev.chatflow.client.verify.RoomOrder;
import dev.chatflow.client.verify.SenderLog;
import dev.chatflow.client.wire.FrameScan;
import dev.chatflow.client.wire.Notice;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The users of one room, what each of them received, and the room's figures.
 *
 * <p>Belongs to one load thread.
 */
final class Room {
  private static final long QUIET_NANOS = 1_000_000_000L;
  private static final long MAX_MICROS = 3_600_000_000L;

  private final LoadContext context;
  private final int number;
  private final int firstUser;
  private final List<User> users;
  private final SenderLog[] logs;
  private final RoomLedger ledger;
  private final Barrier barrier;
  private final boolean judged;
  private final boolean twoClocks;
  private final @Nullable RoomOrder order;

  private final Histogram echoes = new Histogram(2); // grows as needed: some KB
  private int present;
  private long required;
  private long refused;
  private long delivered;
  private long firstDueNanos = Long.MAX_VALUE;
  private long lastDeliveryNanos;
  private long lastWriteNanos;
  private long accepted;
  private long echoNanosSum;
  private boolean interrupted;

  Room(LoadContext context, int number) {
    this.context = context;
    this.number = number;
    int size = context.plan.workload().roomSize();
    firstUser = (number - 1) * size;
    users =
        IntStream.range(0, size).mapToObj(i -> new User(context, this, i, firstUser + i)).toList();
    logs = users.stream().map(User::log).toArray(SenderLog[]::new);
    ledger = new RoomLedger(number, firstUser, logs, context.findings);
    barrier = new Barrier(users, context.plan.connecting().timeout());
    Judging judging = context.plan.judging();
    judged = judging.isExact();
    order = judging.level() == Judging.Level.TOTAL_ORDER ? new RoomOrder(size) : null;
    twoClocks = context.plan.pacing().model() == Pacing.Model.OPEN;
  }

  int number() {
    return number;
  }

  List<User> users() {
    return users;
  }

  RoomLedger ledger() {
    return ledger;
  }

  int present() {
    return present;
  }

  boolean isSending() {
    Phase phase = context.gate.phase();
    return (phase == Phase.MAIN || phase == Phase.WARMUP) && !context.gate.isStopped();
  }

  /** One step of the join barrier; true when everybody who can has joined. */
  boolean joinTick(long now) {
    return barrier.joinTick(now, present);
  }

  /** One step of the leave barrier; true when nobody is left. */
  boolean leaveTick(long now) {
    return barrier.leaveTick(now, present);
  }

  /** A member writes its LEAVE. */
  void leaves(User user, long now) {
    ledger.leaves(user.place(), now);
  }

  void wrote(long dueNanos) {
    required += present;
    if (context.isRecorded(dueNanos)) {
      firstDueNanos = Math.min(firstDueNanos, dueNanos);
    }
    lastWriteNanos = context.now();
  }

  /** A broadcast with a head of this run came to a user. */
  void received(User receiver, FrameScan scan) {
    int sender = scan.sender() - firstUser;
    int seq = scan.seq();
    if (!scan.isIntact()) {
      corrupt(receiver, sender, seq);
    } else if (sender < 0 || sender >= logs.length || seq >= logs[sender].size()) {
      ledger.found(Defect.MISROUTED, receiver.place(), sender, seq);
    } else if (seq == 0) {
      joinReceived(receiver, users.get(sender));
    } else if (!ledger.isMember(receiver.place())) {
      ledger.found(Defect.MISROUTED, receiver.place(), sender, seq);
    } else if (!judged || ledger.arrived(receiver.place(), sender, seq)) {
      if (logs[sender].isLeave(seq)) {
        leaveReceived(receiver, users.get(sender));
      } else {
        textReceived(receiver, sender, seq, scan.dueMicros());
      }
    }
  }

  private void textReceived(User receiver, int sender, int seq, long dueMicros) {
    SenderLog log = logs[sender];
    SeriesSet series = context.recorder.active();
    long now = context.readTime();
    long service = now - log.written(seq);
    boolean recorded = context.isRecorded(log.due(seq));
    context.tally.textDeliveries++;
    delivered++;
    context.halves.delivered(now);
    context.trace.received(firstUser + sender, seq, receiver.index(), now);
    lastDeliveryNanos = now;
    if (recorded) {
      receiver.figures().took(service, now);
    } else if (context.gate.phase() == Phase.WARMUP) {
      context.tally.warmupDeliveries++;
    }
    if (order != null) {
      order.saw(receiver.place(), sender, seq);
    }
    if (recorded && !receiver.isSlow()) {
      series.record(Series.DELIVERY, Clock.SERVICE, service / 1000);
      if (twoClocks) {
        series.record(Series.DELIVERY, Clock.RESPONSE, now / 1000 - dueMicros);
      }
      if (context.plan.target().urls().size() > 1) {
        split(series, receiver, sender, service / 1000, now / 1000 - dueMicros);
      }
    }
    if (log.copied(seq, now) == present && recorded) {
      series.record(Series.FANOUT, Clock.SERVICE, service / 1000);
      series.record(Series.FANOUT, Clock.RESPONSE, (now - log.due(seq)) / 1000);
      series.record(Series.SKEW, (now - log.firstCopy(seq)) / 1000);
    }
    boolean answers = receiver.place() == sender && !receiver.posts();
    if (answers && log.echoedAt(seq, now)) {
      echoed(receiver, seq, recorded);
    }
    log.forget(seq);
  }

  /** Same server or another: users of one URL are on one server. */
  private void split(
      SeriesSet series, User receiver, int sender, long serviceMicros, long responseMicros) {
    Target target = context.plan.target();
    boolean same = target.serverOf(receiver.index()) == target.serverOf(firstUser + sender);
    Series which = same ? Series.DELIVERY_SAME : Series.DELIVERY_CROSS;
    series.record(which, Clock.SERVICE, serviceMicros);
    series.record(which, Clock.RESPONSE, responseMicros);
  }

  /** A posted text was answered with 201. */
  void confirmed(User sender, int seq) {
    lastDeliveryNanos = Math.max(lastDeliveryNanos, context.readTime());
    if (sender.log().echoedAt(seq, context.readTime())) {
      echoed(sender, seq, context.isRecorded(sender.log().due(seq)));
    }
    sender.log().forget(seq);
  }

  /** A posted text was refused, or given up. */
  void refusedPost(User sender, int seq, String reason) {
    context.tally.rejected(reason);
    sender.log().refuse(seq);
    refused++;
    sender.sender().answered(seq, context.now());
  }

  private void echoed(User sender, int seq, boolean recorded) {
    long now = context.readTime();
    long service = now - sender.log().written(seq);
    if (recorded) {
      SeriesSet series = context.recorder.active();
      series.record(Series.ECHO, Clock.SERVICE, service / 1000);
      series.record(Series.ECHO, Clock.RESPONSE, (now - sender.log().due(seq)) / 1000);
      accepted++;
      echoNanosSum += service;
      echoes.recordValue(Math.clamp(service / 1000, 0, MAX_MICROS));
    }
    context.halves.accepted(now);
    context.tally.textsEchoed++;
    sender.answered(seq, now);
  }

  private void joinReceived(User receiver, User sender) {
    long now = context.readTime();
    if (receiver == sender && receiver.state() == User.State.JOINING) {
      ledger.joined(receiver.place(), now);
      present++;
      receiver.joined(now); // may write already
    } else if (!ledger.isMember(receiver.place())) {
      ledger.found(Defect.MISROUTED, receiver.place(), sender.place(), 0);
      return;
    }
    if (ledger.joinArrived(receiver.place(), sender.place(), sender.joinsWritten())) {
      context.tally.joinDeliveries++;
      barrier.seen(sender);
    }
  }

  private void leaveReceived(User receiver, User sender) {
    context.tally.leaveDeliveries++;
    if (receiver == sender) {
      receiver.left(context.readTime());
      ledger.left(receiver.place());
      present--;
    }
    barrier.seen(sender);
  }

  private void corrupt(User receiver, int sender, int seq) {
    boolean known = sender >= 0 && sender < logs.length && seq > 0 && seq < logs[sender].size();
    ledger.found(Defect.CORRUPT, receiver.place(), known ? sender : -1, seq);
    if (known && ledger.isExpected(receiver.place(), sender, seq)) {
      boolean first = ledger.arrived(receiver.place(), sender, seq);
      if (first && logs[sender].isText(seq)) {
        delivered++;
        if (receiver.place() == sender && logs[sender].echoedAt(seq, context.readTime())) {
          receiver.answered(seq, context.readTime());
        }
      }
    }
  }

  /** A frame without head came to a user. */
  void noticed(User receiver, Notice notice) {
    switch (notice) {
      case Notice.Refusal refusal -> refusal(receiver, refusal);
      case Notice.Foreign foreign -> {
        if (foreign.synthetic()) {
          context.tally.syntheticLeaves++;
        } else {
          context.tally.foreignFrames++;
        }
      }
      case Notice.Unreadable _ -> context.tally.unreadableFrames++;
    }
  }

  private void refusal(User receiver, Notice.Refusal refusal) {
    context.tally.rejected(refusal.errorCode());
    SenderLog log = receiver.log();
    int seq = refusal.seq();
    if (seq == 0) {
      receiver.joinRefused(context.now() + Math.max(1, refusal.retryAfterMillis()) * 1_000_000);
    } else if (seq > 0 && seq < log.size() && log.refuse(seq) && log.isText(seq)) {
      refused++;
      receiver.answered(seq, context.readTime());
    }
  }

  void lost(User user) {
    interrupted = true;
    if (ledger.isMember(user.place())) {
      ledger.lost(user.place());
      present--;
    }
  }

  /** Whether nothing more is required; where that is not known exactly, quiet for a second. */
  boolean isDrained(long now) {
    if (!interrupted && context.plan.hasBarriers()) {
      return delivered >= required - refused * present && users.stream().noneMatch(User::isBusy);
    }
    boolean quiet = present == 0 || now - lastProgressNanos() > QUIET_NANOS;
    return quiet && users.stream().noneMatch(User::isBusy);
  }

  long lastProgressNanos() {
    return Math.max(lastDeliveryNanos, lastWriteNanos);
  }

  long firstDueNanos() {
    return firstDueNanos;
  }

  long lastDeliveryNanos() {
    return lastDeliveryNanos;
  }

  /** Judges what is absent and, if asked for, in which order the texts came. */
  void settle() {
    ledger.settle();
    if (order != null) {
      for (RoomOrder.Divergence found : order.divergences(ledger.uninterrupted())) {
        ledger.found(Defect.DIVERGENT, found.receiver(), -1, found.afterTexts());
      }
    }
  }

  Stream<ConnectionFigures> connections() {
    return users.stream().map(user -> user.figures().connection(firstDueNanos));
  }

  Stream<SenderFigures> senders() {
    return users.stream().map(user -> user.figures().sent(user.joinsWritten()));
  }

  RoomFigures figures() {
    long sent = users.stream().mapToLong(user -> user.sender().textsWritten()).sum();
    long window = delivered == 0 ? 0 : lastDeliveryNanos - firstDueNanos;
    return new RoomFigures(
        number,
        logs.length,
        sent,
        accepted,
        delivered,
        window,
        echoNanosSum,
        echoes.getValueAtPercentile(50) / 1e3,
        echoes.getValueAtPercentile(99) / 1e3);
  }
}
