package dev.chatflow.client.engine.user;

import dev.chatflow.client.engine.context.LoadContext;
import dev.chatflow.client.plan.Judging;
import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.plan.Target;
import dev.chatflow.client.record.ConnectionFigures;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.Phase;
import dev.chatflow.client.record.RoomFigures;
import dev.chatflow.client.record.SenderFigures;
import dev.chatflow.client.series.Clock;
import dev.chatflow.client.series.Series;
import dev.chatflow.client.series.SeriesSet;
import dev.chatflow.client.verify.Defect;
import dev.chatflow.client.verify.RoomLedger;
import dev.chatflow.client.verify.RoomSequence;
import dev.chatflow.client.verify.SenderLog;
import dev.chatflow.client.wire.FrameScan;
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
public final class Room implements Receipts {
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
  private final boolean severalServers;
  private final @Nullable RoomSequence sequence;

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

  /** A room of users that did nothing yet; room numbers begin at 1. */
  public Room(LoadContext context, int number) {
    this.context = context;
    this.number = number;
    int size = context.plan.workload().roomSize();
    firstUser = (number - 1) * size;
    users =
        IntStream.range(0, size)
            .mapToObj(place -> new User(context, this, number, place, firstUser + place))
            .toList();
    logs = users.stream().map(User::log).toArray(SenderLog[]::new);
    ledger = new RoomLedger(number, firstUser, logs, context.findings);
    barrier = new Barrier(users, context.plan.connecting().timeout());
    Judging judging = context.plan.judging();
    judged = judging.isExact();
    sequence = judging.level() == Judging.Level.TOTAL_ORDER ? new RoomSequence(size) : null;
    twoClocks = context.plan.pacing().model() == Pacing.Model.OPEN;
    severalServers = context.plan.target().urls().size() > 1;
  }

  public List<User> users() {
    return users;
  }

  public RoomLedger ledger() {
    return ledger;
  }

  /** One step of the join barrier; true when everybody who can has joined. */
  public boolean joinTick(long now) {
    return barrier.joinTick(now, present);
  }

  /** One step of the leave barrier; true when nobody is left. */
  public boolean leaveTick(long now) {
    return barrier.leaveTick(now, present);
  }

  @Override
  public void joining(User user, long dueMicros) {
    if (sequence != null) {
      sequence.joining(user.place(), dueMicros);
    }
  }

  @Override
  public void leaving(User user, long now) {
    ledger.leaves(user.place(), now);
  }

  @Override
  public void wrote(long dueNanos) {
    required += present;
    if (context.isRecorded(dueNanos)) {
      firstDueNanos = Math.min(firstDueNanos, dueNanos);
    }
    lastWriteNanos = context.now();
  }

  @Override
  public void lost(User user) {
    interrupted = true;
    gone(user);
    if (ledger.isMember(user.place())) {
      ledger.lost(user.place());
      present--;
    }
  }

  @Override
  public Receipt received(User receiver, FrameScan scan) {
    int sender = scan.sender() - firstUser;
    int seq = scan.seq();
    int place = receiver.place();
    if (!scan.isIntact()) {
      return corrupt(place, sender, seq);
    }
    boolean known = sender >= 0 && sender < logs.length && seq < logs[sender].size();
    if (known && seq == 0) {
      return joinReceived(receiver, users.get(sender), scan.dueMicros());
    }
    if (!known || !ledger.isMember(place)) {
      ledger.found(Defect.MISROUTED, place, sender, seq);
      return Receipt.TAKEN;
    }
    if (judged && !ledger.arrived(place, sender, seq)) {
      return Receipt.TAKEN;
    }
    if (sequence != null && !isAnswerToResend(place, sender, seq)) {
      compared(sequence.saw(place, sender, seq), place, sender, seq);
    }
    return logs[sender].isLeave(seq)
        ? leaveReceived(receiver, users.get(sender))
        : textReceived(receiver, sender, seq, scan.dueMicros());
  }

  /** What was written again may come as an answer to its sender alone, which has no place. */
  private boolean isAnswerToResend(int place, int sender, int seq) {
    return place == sender && logs[sender].isResent(seq);
  }

  private void compared(boolean agrees, int place, int sender, int seq) {
    if (!agrees) {
      ledger.found(Defect.DIVERGENT, place, sender, seq);
    }
  }

  private void gone(User user) {
    if (sequence != null) {
      sequence.gone(user.place());
    }
  }

  private Receipt textReceived(User receiver, int sender, int seq, long dueMicros) {
    SenderLog log = logs[sender];
    SeriesSet series = context.recorder.active();
    long now = context.readTime();
    long service = now - log.written(seq);
    boolean recorded = context.isRecorded(log.due(seq));
    context.tally.count(Count.TEXT_DELIVERIES);
    delivered++;
    context.halves.delivered(now);
    context.trace.received(firstUser + sender, seq, receiver.index(), now);
    lastDeliveryNanos = now;
    if (recorded) {
      receiver.figures().took(service, now);
    } else if (context.gate.phase() == Phase.WARMUP) {
      context.tally.count(Count.WARMUP_DELIVERIES);
    }
    if (recorded && !receiver.isSlow()) {
      series.record(Series.DELIVERY, Clock.SERVICE, service / 1000);
      if (twoClocks) {
        series.record(Series.DELIVERY, Clock.RESPONSE, now / 1000 - dueMicros);
      }
      if (severalServers) {
        split(series, receiver, sender, service / 1000, now / 1000 - dueMicros);
      }
    }
    if (log.copied(seq, now) == present && recorded) {
      series.record(Series.FANOUT, Clock.SERVICE, service / 1000);
      series.record(Series.FANOUT, Clock.RESPONSE, (now - log.due(seq)) / 1000);
      series.record(Series.SKEW, (now - log.firstCopy(seq)) / 1000);
    }
    boolean answers = receiver.place() == sender && !receiver.posts();
    boolean first = answers && log.echoedAt(seq, now);
    if (first) {
      echoed(log, seq, recorded);
    }
    log.forget(seq);
    return first ? Receipt.OWN_TEXT : Receipt.TAKEN;
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

  @Override
  public void confirmed(User sender, int seq) {
    SenderLog log = sender.log();
    lastDeliveryNanos = Math.max(lastDeliveryNanos, context.readTime());
    if (log.echoedAt(seq, context.readTime())) {
      echoed(log, seq, context.isRecorded(log.due(seq)));
    }
    log.forget(seq);
  }

  @Override
  public boolean refused(User sender, int seq) {
    SenderLog log = sender.log();
    boolean counts = seq < log.size() && log.refuse(seq) && log.isText(seq);
    refused += counts ? 1 : 0;
    return counts;
  }

  private void echoed(SenderLog log, int seq, boolean recorded) {
    long now = context.readTime();
    long service = now - log.written(seq);
    if (recorded) {
      SeriesSet series = context.recorder.active();
      series.record(Series.ECHO, Clock.SERVICE, service / 1000);
      series.record(Series.ECHO, Clock.RESPONSE, (now - log.due(seq)) / 1000);
      accepted++;
      echoNanosSum += service;
      echoes.recordValue(Math.clamp(service / 1000, 0, MAX_MICROS));
    }
    context.halves.accepted(now);
    context.tally.count(Count.TEXTS_ECHOED);
  }

  private Receipt joinReceived(User receiver, User sender, long dueMicros) {
    int place = receiver.place();
    boolean own = place == sender.place() && receiver.state().isAwaitingJoin();
    if (own) {
      ledger.joined(place, context.readTime());
      present++;
    } else if (!ledger.isMember(place)) {
      ledger.found(Defect.MISROUTED, place, sender.place(), 0);
      return Receipt.TAKEN;
    }
    if (ledger.joinArrived(place, sender.place(), sender.joinsWritten())) {
      joinSeen(own, place, sender.place(), dueMicros);
      context.tally.count(Count.JOIN_DELIVERIES);
      barrier.seen(sender);
    }
    return own ? Receipt.OWN_JOIN : Receipt.TAKEN;
  }

  private void joinSeen(boolean own, int place, int sender, long dueMicros) {
    if (sequence != null && own) {
      sequence.joined(place, dueMicros);
    } else if (sequence != null) {
      compared(sequence.sawJoin(place, sender, dueMicros), place, sender, 0);
    }
  }

  private Receipt leaveReceived(User receiver, User sender) {
    context.tally.count(Count.LEAVE_DELIVERIES);
    barrier.seen(sender);
    if (receiver.place() != sender.place()) {
      return Receipt.TAKEN;
    }
    ledger.left(receiver.place());
    gone(receiver);
    present--;
    return Receipt.OWN_LEAVE;
  }

  private Receipt corrupt(int place, int sender, int seq) {
    boolean known = sender >= 0 && sender < logs.length && seq > 0 && seq < logs[sender].size();
    ledger.found(Defect.CORRUPT, place, known ? sender : -1, seq);
    boolean first =
        known
            && ledger.isExpected(place, sender, seq)
            && ledger.arrived(place, sender, seq)
            && logs[sender].isText(seq);
    delivered += first ? 1 : 0;
    return first && place == sender && logs[sender].echoedAt(seq, context.readTime())
        ? Receipt.OWN_TEXT
        : Receipt.TAKEN;
  }

  /** Whether nothing more is required; where that is not known exactly, quiet for a second. */
  public boolean isDrained(long now) {
    boolean exact = !interrupted && context.plan.hasBarriers();
    boolean quiet = present == 0 || now - lastProgressNanos() > QUIET_NANOS;
    boolean done = exact ? delivered >= required - refused * present : quiet;
    return done && users.stream().noneMatch(User::isBusy);
  }

  public long lastProgressNanos() {
    return Math.max(lastDeliveryNanos, lastWriteNanos);
  }

  public long firstDueNanos() {
    return firstDueNanos;
  }

  public long lastDeliveryNanos() {
    return lastDeliveryNanos;
  }

  /** Judges what is absent. */
  public void settle() {
    ledger.settle();
  }

  public Stream<ConnectionFigures> connections() {
    return users.stream().map(user -> user.figures().connection(firstDueNanos));
  }

  public Stream<SenderFigures> senders() {
    return users.stream().map(user -> user.figures().sent(user.joinsWritten()));
  }

  public RoomFigures figures() {
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
