package dev.chatflow.client.engine;

import dev.chatflow.client.plan.Judging;
import dev.chatflow.client.plan.Workload;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.RoomFigures;
import dev.chatflow.client.verify.Defect;
import dev.chatflow.client.verify.FrameScan;
import dev.chatflow.client.verify.MessageTemplate;
import dev.chatflow.client.verify.OtherParts;
import dev.chatflow.client.verify.RoomLedger;
import dev.chatflow.client.verify.RoomOrder;
import dev.chatflow.client.verify.RoomSequence;
import dev.chatflow.client.verify.SenderLog;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The bookkeeping of one room: its members among the users played here, the messages that each
 * received, and whether that is everything required. Users report the messages that they write and
 * receive.
 *
 * <p>Other parts of the run also have users. Their messages and send times are unknown here. Each
 * copy must arrive once, in the one order of the room, and a member that skipped one lost it. The
 * comparison of the parts' orders finds a message that no member here received.
 *
 * <p>Belongs to one load thread.
 */
final class RoomBook {
  /** The meaning of a frame for the user that received it. */
  enum Receipt {
    /** The frame is processed. */
    TAKEN,
    /** The user's JOIN: the user is a member. */
    OWN_JOIN,
    /** The user's LEAVE. */
    OWN_LEAVE,
    /** The first copy of the user's text. */
    OWN_TEXT
  }

  private static final long QUIET_NANOS = 1_000_000_000L;

  private final LoadContext context;
  private final int number;
  private final int firstUser;
  private final int firstIndex;
  private final List<Member> members;
  private final SenderLog[] logs;
  private final OtherParts others;
  private final RoomLedger ledger;
  private final boolean judged;
  private final RoomOrder order;
  private final RoomMeter meter;
  private final RoomSignals signals;
  private final Turn turn = new Turn();
  private int present;
  private long required;
  private long refused;
  private long delivered;
  private boolean interrupted;

  /** Creates the bookkeeping of a new room; room numbers begin at 1. */
  RoomBook(LoadContext context, int number, List<Member> members) {
    this.context = context;
    this.number = number;
    this.members = members;
    int size = context.plan.workload().roomSize();
    firstUser = (number - 1) * size;
    firstIndex = context.plan.firstIndex();
    logs =
        IntStream.range(0, size)
            .mapToObj(
                roomIndex -> isHere(roomIndex) ? memberAt(roomIndex).log : new SenderLog(0, false))
            .toArray(SenderLog[]::new);
    others = others(context.plan.workload(), size);
    ledger = new RoomLedger(number, firstUser, logs, context.findings);
    Judging judging = context.plan.judging();
    judged = judging.isExact();
    RoomSequence sequence =
        judging.isOrdered() ? new RoomSequence(size, judging.keepsOrder()) : null;
    order = new RoomOrder(sequence, ledger, others);
    meter = new RoomMeter(context, members.size());
    signals = new RoomSignals(context, members);
  }

  private OtherParts others(Workload workload, int size) {
    int[] texts =
        IntStream.range(firstUser, firstUser + size)
            .map(user -> workload.textsOf(user) + workload.warmupTextsOf(user))
            .toArray();
    return new OtherParts(firstIndex, firstIndex + members.size(), texts, workload.isOpenEnded());
  }

  private boolean isHere(int roomIndex) {
    return roomIndex >= firstIndex && roomIndex < firstIndex + members.size();
  }

  private Member memberAt(int roomIndex) {
    return members.get(roomIndex - firstIndex);
  }

  Turn turn() {
    return turn;
  }

  RoomLedger ledger() {
    return ledger;
  }

  RoomMeter meter() {
    return meter;
  }

  int present() {
    return present;
  }

  /** Records a JOIN that is about to be written with this time in its head. */
  void joining(Member user, long dueMicros) {
    order.joining(user.roomIndex, dueMicros);
  }

  /** Records that a member writes its LEAVE. */
  void leaving(Member user, long now) {
    ledger.leaves(user.roomIndex, now);
  }

  /** Records the first write of a text. */
  void wrote(long dueNanos) {
    required += present;
    meter.wrote(dueNanos);
  }

  /** Records that a signal is about to be written. */
  void wroteSignal() {
    signals.wrote(present);
  }

  /** Records a rejected signal. */
  void signalRefused() {
    signals.refused(present);
  }

  /** Records a signal with a head of this run. No signal precedes a member's JOIN. */
  void signalReceived(Member receiver, FrameScan scan) {
    boolean joined = ledger.isMember(receiver.roomIndex) && !receiver.state().isAwaitingJoin();
    if (joined || !receiver.hasAbandonedJoin()) {
      signals.received(receiver, joined, scan);
    }
  }

  /**
   * Records a lost connection.
   *
   * @param resumes whether the user may resume
   */
  void lost(Member user, boolean resumes) {
    interrupted = true;
    if (resumes) {
      order.disconnected(user.roomIndex);
    } else {
      order.departed(user.roomIndex);
    }
    if (ledger.isMember(user.roomIndex)) {
      ledger.lost(user.roomIndex);
      present--;
    }
  }

  /** Records that a user will not return. */
  void gaveUp(Member user) {
    order.departed(user.roomIndex);
  }

  /** Records that a returning user received its last frame: all later ones follow. */
  void resumed(Member user) {
    ledger.resumed(user.roomIndex);
    present++;
  }

  /** Records a broadcast from before the user's JOIN, as requested with the history. */
  void pastMessage(Member receiver, FrameScan scan) {
    int sender = scan.sender() - firstUser;
    int roomIndex = receiver.roomIndex;
    if (!scan.isIntact() || !(isWritten(sender, scan.seq()) || others.has(sender))) {
      Defect defect = scan.isIntact() ? Defect.MISROUTED : Defect.CORRUPT;
      ledger.found(defect, roomIndex, sender, scan.seq());
    } else {
      order.pastMessage(roomIndex, sender, scan.seq(), scan.dueMicros());
    }
  }

  private boolean isWritten(int sender, int seq) {
    return sender >= 0 && sender < logs.length && seq < logs[sender].size();
  }

  /** Records a broadcast with a head of this run. */
  Receipt received(Member receiver, FrameScan scan) {
    int sender = scan.sender() - firstUser;
    int seq = scan.seq();
    int roomIndex = receiver.roomIndex;
    if (!scan.isIntact()) {
      return corrupt(roomIndex, sender, seq);
    }
    if (!ledger.isMember(roomIndex) && receiver.hasAbandonedJoin()) {
      return Receipt.TAKEN;
    }
    boolean known = isWritten(sender, seq);
    if (known && seq == 0) {
      return joinReceived(receiver, memberAt(sender), scan);
    }
    if (!known || !ledger.isMember(roomIndex)) {
      return receivedUnwritten(roomIndex, sender, scan);
    }
    if (judged && !ledger.arrived(roomIndex, sender, seq)) {
      return Receipt.TAKEN;
    }
    if (roomIndex != sender || !isOutsideOrder(receiver, scan)) {
      order.saw(roomIndex, sender, seq);
    }
    return logs[sender].isLeave(seq)
        ? leaveReceived(receiver, memberAt(sender), scan)
        : textReceived(receiver, sender, seq, scan.dueMicros());
  }

  /**
   * Returns whether the receiver's own frame has no position in the room: an answer, or a quiet
   * LEAVE.
   */
  private static boolean isOutsideOrder(Member receiver, FrameScan scan) {
    SenderLog log = receiver.log;
    return log.isLeave(scan.seq()) ? scan.isQuiet() : log.isResent(scan.seq()) && scan.isRepeat();
  }

  private Receipt textReceived(Member receiver, int sender, int seq, long dueMicros) {
    SenderLog log = logs[sender];
    long now = context.readTime();
    context.tally.count(Count.TEXT_DELIVERIES);
    context.run.trace().received(firstUser + sender, seq, receiver.index, now);
    delivered++;
    boolean last = log.copied(seq, now) == present && !receiver.state().isComingBack();
    meter.received(receiver, memberAt(sender), seq, dueMicros, last);
    boolean answers = receiver.roomIndex == sender && !receiver.posts;
    boolean first = answers && log.echoedAt(seq, now);
    if (first) {
      meter.echoed(log, seq);
    }
    log.forget(seq);
    return first ? Receipt.OWN_TEXT : Receipt.TAKEN;
  }

  /** Records a message that no user here wrote: it belongs to another part, or is misrouted. */
  private Receipt receivedUnwritten(int roomIndex, int sender, FrameScan scan) {
    int seq = scan.seq();
    if (!order.isChecked() || !others.has(sender) || !ledger.isMember(roomIndex)) {
      ledger.found(Defect.MISROUTED, roomIndex, sender, seq);
    } else if (seq == 0) {
      order.sawJoin(roomIndex, sender, scan.dueMicros());
    } else if (ledger.arrived(roomIndex, sender, seq)) {
      order.saw(roomIndex, sender, seq);
      if (others.delivered(sender, seq)) {
        meter.receivedFromElsewhere();
      }
    }
    return Receipt.TAKEN;
  }

  /** Records that a posted text was accepted. */
  void confirmed(Member sender, int seq) {
    SenderLog log = sender.log;
    meter.confirmed();
    if (log.echoedAt(seq, context.readTime())) {
      meter.echoed(log, seq);
    }
    log.forget(seq);
  }

  /** Records a rejected message; false if that was known, or if it is no text. */
  boolean refused(Member sender, int seq) {
    SenderLog log = sender.log;
    boolean counts = seq < log.size() && log.refuse(seq) && log.isText(seq);
    refused += counts ? 1 : 0;
    return counts;
  }

  private Receipt joinReceived(Member receiver, Member sender, FrameScan scan) {
    int roomIndex = receiver.roomIndex;
    long dueMicros = scan.dueMicros();
    boolean own = roomIndex == sender.roomIndex && receiver.isJoin(dueMicros);
    boolean member = ledger.isMember(roomIndex);
    if (own && !member) {
      ledger.joined(roomIndex, context.readTime());
      present++;
    } else if (!member) {
      ledger.found(Defect.MISROUTED, roomIndex, sender.roomIndex, 0);
      return Receipt.TAKEN;
    }
    if (ledger.joinArrived(roomIndex, sender.roomIndex, sender.joinsWritten())) {
      if (own) {
        ownJoinSeen(receiver, scan, member);
      } else {
        order.sawJoin(roomIndex, sender.roomIndex, dueMicros);
      }
      context.tally.count(Count.JOIN_DELIVERIES);
      turn.seen(sender);
    }
    return own ? Receipt.OWN_JOIN : Receipt.TAKEN;
  }

  /**
   * Records the member's JOIN, after which its frames begin.
   *
   * @param resumed whether its membership continues after the frame it named
   */
  private void ownJoinSeen(Member user, FrameScan scan, boolean resumed) {
    boolean quiet = scan.isQuiet();
    if (quiet) {
      quietSeen(user, 0);
    }
    order.joined(user.roomIndex, scan.dueMicros(), quiet, resumed);
  }

  /** Records a JOIN or LEAVE that other members do not receive. */
  private void quietSeen(Member user, int seq) {
    user.log.quiet(seq);
    context.tally.add(Count.QUIET_COPIES, present - 1);
    turn.quietSeen(user);
  }

  private Receipt leaveReceived(Member receiver, Member sender, FrameScan scan) {
    context.tally.count(Count.LEAVE_DELIVERIES);
    turn.seen(sender);
    if (receiver.roomIndex != sender.roomIndex) {
      return Receipt.TAKEN;
    }
    if (scan.isQuiet()) {
      quietSeen(sender, scan.seq());
    }
    ledger.left(receiver.roomIndex);
    order.departed(receiver.roomIndex);
    present--;
    return Receipt.OWN_LEAVE;
  }

  private Receipt corrupt(int roomIndex, int sender, int seq) {
    boolean known = sender >= 0 && sender < logs.length && seq > 0 && seq < logs[sender].size();
    ledger.found(Defect.CORRUPT, roomIndex, known ? sender : -1, seq);
    boolean first =
        known
            && ledger.isExpected(roomIndex, sender, seq)
            && ledger.arrived(roomIndex, sender, seq)
            && logs[sender].isText(seq);
    delivered += first ? 1 : 0;
    return first && roomIndex == sender && logs[sender].echoedAt(seq, context.readTime())
        ? Receipt.OWN_TEXT
        : Receipt.TAKEN;
  }

  /**
   * Returns whether nothing is outstanding; if that is not exactly known, whether the room was
   * quiet for a second.
   */
  boolean isDrained(long now) {
    boolean exact = !interrupted && context.plan.hasBarriers();
    boolean quiet = present == 0 || now - meter.lastProgressNanos() > QUIET_NANOS;
    boolean done = exact ? delivered >= required - refused * present : quiet;
    return done && others.areDrained(present, quiet) && signals.isDrained(now);
  }

  /** Judges missing copies. */
  void settle() {
    members.forEach(member -> order.settle(member.roomIndex));
    ledger.settle();
  }

  /** Returns the order in which the members received the room's messages, if it was kept. */
  Stream<RoomFigures.SeenMessage> order() {
    return order
        .order()
        .map(seen ->
            new RoomFigures.SeenMessage(
                number, seen.part(), id(seen.sender(), seen.seq()), seen.joinMicros()));
  }

  private String id(int roomIndex, int seq) {
    return MessageTemplate.id(context.plan.runId(), firstUser + roomIndex, seq);
  }

  RoomFigures figures() {
    long sent = members.stream().mapToLong(member -> member.log.texts()).sum();
    return meter.figures(number, sent, delivered + others.delivered());
  }
}
