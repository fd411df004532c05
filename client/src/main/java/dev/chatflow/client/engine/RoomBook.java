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
 * The books of one room: who of those played here is a member, what each of them received, and
 * whether that is all that had to come. The users hand in what they write and what comes to them.
 *
 * <p>Users of another part of the run write too. Their messages and send times are unknown here:
 * each copy must arrive once, in the one order of the room, and a member that skipped one lost it.
 * A message that no member here received is found when the orders of the parts are compared.
 *
 * <p>Belongs to one load thread.
 */
final class RoomBook {
  /** The meaning of a frame for the user that received it. */
  enum Receipt {
    /** Nothing to do. */
    TAKEN,
    /** The user's JOIN came back: the user is a member. */
    OWN_JOIN,
    /** The user's LEAVE came back. */
    OWN_LEAVE,
    /** The user's text came back for the first time. */
    OWN_TEXT
  }

  private static final long QUIET_NANOS = 1_000_000_000L;

  private final LoadContext context;
  private final int number;
  private final int firstUser;
  private final int firstPlace;
  private final List<Member> members;
  private final SenderLog[] logs;
  private final OtherParts others;
  private final RoomLedger ledger;
  private final boolean judged;
  private final RoomOrder order;
  private final RoomMeter meter;
  private final Turn turn = new Turn();
  private int present;
  private long required;
  private long refused;
  private long delivered;
  private boolean interrupted;

  /** Of a room in which nothing happened yet; room numbers begin at 1. */
  RoomBook(LoadContext context, int number, List<Member> members) {
    this.context = context;
    this.number = number;
    this.members = members;
    int size = context.plan.workload().roomSize();
    firstUser = (number - 1) * size;
    firstPlace = context.plan.firstPlace();
    logs =
        IntStream.range(0, size)
            .mapToObj(place -> isHere(place) ? memberAt(place).log : new SenderLog(0, false))
            .toArray(SenderLog[]::new);
    others = others(context.plan.workload(), size);
    ledger = new RoomLedger(number, firstUser, logs, context.findings);
    Judging judging = context.plan.judging();
    judged = judging.isExact();
    RoomSequence sequence =
        judging.isOrdered() ? new RoomSequence(size, judging.keepsOrder()) : null;
    order = new RoomOrder(sequence, ledger, others);
    meter = new RoomMeter(context, members.size());
  }

  private OtherParts others(Workload workload, int size) {
    int[] texts =
        IntStream.range(firstUser, firstUser + size)
            .map(user -> workload.textsOf(user) + workload.warmupTextsOf(user))
            .toArray();
    return new OtherParts(firstPlace, firstPlace + members.size(), texts, workload.isOpenEnded());
  }

  private boolean isHere(int place) {
    return place >= firstPlace && place < firstPlace + members.size();
  }

  private Member memberAt(int place) {
    return members.get(place - firstPlace);
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

  /** A JOIN is about to be written; its head bears this time. */
  void joining(Member user, long dueMicros) {
    order.joining(user.place, dueMicros);
  }

  /** A member writes its LEAVE. */
  void leaving(Member user, long now) {
    ledger.leaves(user.place, now);
  }

  /** A text is written for the first time. */
  void wrote(long dueNanos) {
    required += present;
    meter.wrote(dueNanos);
  }

  /**
   * The connection of a user is gone.
   *
   * @param resumes whether it may go on where it was
   */
  void lost(Member user, boolean resumes) {
    interrupted = true;
    if (resumes) {
      order.away(user.place);
    } else {
      order.gone(user.place);
    }
    if (ledger.isMember(user.place)) {
      ledger.lost(user.place);
      present--;
    }
  }

  /** A user will not come back. */
  void gaveUp(Member user) {
    order.gone(user.place);
  }

  /** A user that came back was shown the last frame it has: everything after that follows. */
  void resumed(Member user) {
    ledger.resumed(user.place);
    present++;
  }

  /** A user that asked for history received a broadcast from before its JOIN. */
  void recalled(Member receiver, FrameScan scan) {
    int sender = scan.sender() - firstUser;
    int place = receiver.place;
    if (!scan.isIntact() || !(isWritten(sender, scan.seq()) || others.has(sender))) {
      Defect defect = scan.isIntact() ? Defect.MISROUTED : Defect.CORRUPT;
      ledger.found(defect, place, sender, scan.seq());
    } else {
      order.recalled(place, sender, scan.seq(), scan.dueMicros());
    }
  }

  private boolean isWritten(int sender, int seq) {
    return sender >= 0 && sender < logs.length && seq < logs[sender].size();
  }

  /** A broadcast with a head of this run came. */
  Receipt received(Member receiver, FrameScan scan) {
    int sender = scan.sender() - firstUser;
    int seq = scan.seq();
    int place = receiver.place;
    if (!scan.isIntact()) {
      return corrupt(place, sender, seq);
    }
    if (!ledger.isMember(place) && receiver.hasAbandonedJoin()) {
      return Receipt.TAKEN;
    }
    boolean known = isWritten(sender, seq);
    if (known && seq == 0) {
      return joinReceived(receiver, memberAt(sender), scan);
    }
    if (!known || !ledger.isMember(place)) {
      return receivedUnwritten(place, sender, scan);
    }
    if (judged && !ledger.arrived(place, sender, seq)) {
      return Receipt.TAKEN;
    }
    if (place != sender || !standsApart(receiver, scan)) {
      order.saw(place, sender, seq);
    }
    return logs[sender].isLeave(seq)
        ? leaveReceived(receiver, memberAt(sender), scan)
        : textReceived(receiver, sender, seq, scan.dueMicros());
  }

  /**
   * Whether a frame of the receiver's own has no place in the room: an answer, or a quiet LEAVE.
   */
  private static boolean standsApart(Member receiver, FrameScan scan) {
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
    boolean answers = receiver.place == sender && !receiver.posts;
    boolean first = answers && log.echoedAt(seq, now);
    if (first) {
      meter.echoed(log, seq);
    }
    log.forget(seq);
    return first ? Receipt.OWN_TEXT : Receipt.TAKEN;
  }

  /** A message that no user here wrote: a user of another part did, or it must not be here. */
  private Receipt receivedUnwritten(int place, int sender, FrameScan scan) {
    int seq = scan.seq();
    if (!order.isAskedFor() || !others.has(sender) || !ledger.isMember(place)) {
      ledger.found(Defect.MISROUTED, place, sender, seq);
    } else if (seq == 0) {
      order.sawJoin(place, sender, scan.dueMicros());
    } else if (ledger.arrived(place, sender, seq)) {
      order.saw(place, sender, seq);
      if (others.delivered(sender, seq)) {
        meter.receivedFromElsewhere();
      }
    }
    return Receipt.TAKEN;
  }

  /** A posted text was accepted. */
  void confirmed(Member sender, int seq) {
    SenderLog log = sender.log;
    meter.confirmed();
    if (log.echoedAt(seq, context.readTime())) {
      meter.echoed(log, seq);
    }
    log.forget(seq);
  }

  /** A message was refused; false when that was known, or when it is no text. */
  boolean refused(Member sender, int seq) {
    SenderLog log = sender.log;
    boolean counts = seq < log.size() && log.refuse(seq) && log.isText(seq);
    refused += counts ? 1 : 0;
    return counts;
  }

  private Receipt joinReceived(Member receiver, Member sender, FrameScan scan) {
    int place = receiver.place;
    long dueMicros = scan.dueMicros();
    boolean own = place == sender.place && receiver.isJoin(dueMicros);
    boolean member = ledger.isMember(place);
    if (own && !member) {
      ledger.joined(place, context.readTime());
      present++;
    } else if (!member) {
      ledger.found(Defect.MISROUTED, place, sender.place, 0);
      return Receipt.TAKEN;
    }
    if (ledger.joinArrived(place, sender.place, sender.joinsWritten())) {
      if (own) {
        ownJoinSeen(receiver, scan, member);
      } else {
        order.sawJoin(place, sender.place, dueMicros);
      }
      context.tally.count(Count.JOIN_DELIVERIES);
      turn.seen(sender);
    }
    return own ? Receipt.OWN_JOIN : Receipt.TAKEN;
  }

  /**
   * A member's frames begin after its JOIN.
   *
   * @param resumed whether it is a member since the frame it named
   */
  private void ownJoinSeen(Member user, FrameScan scan, boolean resumed) {
    boolean quiet = scan.isQuiet();
    if (quiet) {
      seenAlone(user, 0);
    }
    order.joined(user.place, scan.dueMicros(), quiet, resumed);
  }

  /** A JOIN or LEAVE that the other members are not shown. */
  private void seenAlone(Member user, int seq) {
    user.log.quiet(seq);
    context.tally.add(Count.QUIET_COPIES, present - 1);
    turn.seenAlone(user);
  }

  private Receipt leaveReceived(Member receiver, Member sender, FrameScan scan) {
    context.tally.count(Count.LEAVE_DELIVERIES);
    turn.seen(sender);
    if (receiver.place != sender.place) {
      return Receipt.TAKEN;
    }
    if (scan.isQuiet()) {
      seenAlone(sender, scan.seq());
    }
    ledger.left(receiver.place);
    order.gone(receiver.place);
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
  boolean isDrained(long now) {
    boolean exact = !interrupted && context.plan.hasBarriers();
    boolean quiet = present == 0 || now - meter.lastProgressNanos() > QUIET_NANOS;
    boolean done = exact ? delivered >= required - refused * present : quiet;
    return done && others.areDrained(present, quiet);
  }

  /** Judges what is absent. */
  void settle() {
    members.forEach(member -> order.settle(member.place));
    ledger.settle();
  }

  /** In which order the members saw the room's messages, if that was kept. */
  Stream<RoomFigures.Seen> order() {
    return order
        .order()
        .map(seen ->
            new RoomFigures.Seen(
                number, seen.part(), id(seen.sender(), seen.seq()), seen.joinMicros()));
  }

  private String id(int place, int seq) {
    return MessageTemplate.id(context.plan.runId(), firstUser + place, seq);
  }

  RoomFigures figures() {
    long sent = members.stream().mapToLong(member -> member.log.texts()).sum();
    return meter.figures(number, sent, delivered + others.delivered());
  }
}
