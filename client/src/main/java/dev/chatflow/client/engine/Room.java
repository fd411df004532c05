package dev.chatflow.client.engine;

import dev.chatflow.client.plan.Judging;
import dev.chatflow.client.plan.Workload;
import dev.chatflow.client.record.ConnectionFigures;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.RoomFigures;
import dev.chatflow.client.record.SenderFigures;
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
 * The users of one room who are played here, and what each of them received.
 *
 * <p>Users of another part of the run write too. What they wrote and when is not known here: each
 * copy must come once and in its turn, in the one order of the room, and who passed one over lost
 * it. What none here got shows when the orders of the parts are compared.
 *
 * <p>Belongs to one load thread.
 */
public final class Room implements Receipts {
  private static final long QUIET_NANOS = 1_000_000_000L;

  private final LoadContext context;
  private final int number;
  private final int firstUser;
  private final int firstPlace;
  private final List<User> users;
  private final SenderLog[] logs;
  private final OtherParts others;
  private final RoomLedger ledger;
  private final Barrier barrier;
  private final boolean judged;
  private final RoomOrder order;
  private final RoomMeter meter;

  private int present;
  private long required;
  private long refused;
  private long delivered;
  private boolean interrupted;

  /** A room of users that did nothing yet; room numbers begin at 1. */
  public Room(LoadContext context, int number) {
    this.context = context;
    this.number = number;
    int size = context.plan.workload().roomSize();
    firstUser = (number - 1) * size;
    firstPlace = context.plan.firstPlace();
    users =
        IntStream.range(firstPlace, firstPlace + context.plan.places())
            .mapToObj(place -> new User(context, this, number, place, firstUser + place))
            .toList();
    logs =
        IntStream.range(0, size)
            .mapToObj(place -> isHere(place) ? userAt(place).log() : new SenderLog(0, false))
            .toArray(SenderLog[]::new);
    others = others(context.plan.workload(), size);
    ledger = new RoomLedger(number, firstUser, logs, context.findings);
    barrier = new Barrier(users, context.plan.connecting().timeout());
    Judging judging = context.plan.judging();
    judged = judging.isExact();
    RoomSequence sequence =
        judging.isOrdered() ? new RoomSequence(size, judging.keepsOrder()) : null;
    order = new RoomOrder(sequence, ledger, others);
    meter = new RoomMeter(context, users.size());
  }

  private OtherParts others(Workload workload, int size) {
    int[] texts =
        IntStream.range(firstUser, firstUser + size)
            .map(user -> workload.textsOf(user) + workload.warmupTextsOf(user))
            .toArray();
    return new OtherParts(firstPlace, firstPlace + users.size(), texts, workload.isOpenEnded());
  }

  private boolean isHere(int place) {
    return place >= firstPlace && place < firstPlace + users.size();
  }

  private User userAt(int place) {
    return users.get(place - firstPlace);
  }

  public int number() {
    return number;
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
    order.joining(user.place(), dueMicros);
  }

  @Override
  public void leaving(User user, long now) {
    ledger.leaves(user.place(), now);
  }

  @Override
  public void wrote(long dueNanos) {
    required += present;
    meter.wrote(dueNanos);
  }

  @Override
  public void lost(User user, boolean resumes) {
    interrupted = true;
    if (resumes) {
      order.away(user.place());
    } else {
      order.gone(user.place());
    }
    if (ledger.isMember(user.place())) {
      ledger.lost(user.place());
      present--;
    }
  }

  @Override
  public void gaveUp(User user) {
    order.gone(user.place());
  }

  @Override
  public void resumed(User user) {
    ledger.resumed(user.place());
    present++;
  }

  @Override
  public void recalled(User receiver, FrameScan scan) {
    int sender = scan.sender() - firstUser;
    int place = receiver.place();
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

  @Override
  public Receipt received(User receiver, FrameScan scan) {
    int sender = scan.sender() - firstUser;
    int seq = scan.seq();
    int place = receiver.place();
    if (!scan.isIntact()) {
      return corrupt(place, sender, seq);
    }
    if (!ledger.isMember(place) && receiver.hasAbandonedJoin()) {
      return Receipt.TAKEN;
    }
    boolean known = isWritten(sender, seq);
    if (known && seq == 0) {
      return joinReceived(receiver, userAt(sender), scan);
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
        ? leaveReceived(receiver, userAt(sender), scan)
        : textReceived(receiver, sender, seq, scan.dueMicros());
  }

  /**
   * Whether a frame of the receiver's own has no place in the room: an answer, or a quiet LEAVE.
   */
  private static boolean standsApart(User receiver, FrameScan scan) {
    SenderLog log = receiver.log();
    return log.isLeave(scan.seq()) ? scan.isQuiet() : log.isResent(scan.seq()) && scan.isRepeat();
  }

  private Receipt textReceived(User receiver, int sender, int seq, long dueMicros) {
    SenderLog log = logs[sender];
    long now = context.readTime();
    context.tally.count(Count.TEXT_DELIVERIES);
    context.trace.received(firstUser + sender, seq, receiver.index(), now);
    delivered++;
    boolean last = log.copied(seq, now) == present && !receiver.isComingBack();
    meter.received(receiver, userAt(sender), seq, dueMicros, last);
    boolean answers = receiver.place() == sender && !receiver.posts();
    boolean first = answers && log.echoedAt(seq, now);
    if (first) {
      meter.echoed(log, seq);
    }
    log.forget(seq);
    return first ? Receipt.OWN_TEXT : Receipt.TAKEN;
  }

  /** What nobody here wrote: it is of a user of another part, or has no business here. */
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

  @Override
  public void confirmed(User sender, int seq) {
    SenderLog log = sender.log();
    meter.confirmed();
    if (log.echoedAt(seq, context.readTime())) {
      meter.echoed(log, seq);
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

  private Receipt joinReceived(User receiver, User sender, FrameScan scan) {
    int place = receiver.place();
    long dueMicros = scan.dueMicros();
    boolean own = place == sender.place() && receiver.isJoin(dueMicros);
    boolean member = ledger.isMember(place);
    if (own && !member) {
      ledger.joined(place, context.readTime());
      present++;
    } else if (!member) {
      ledger.found(Defect.MISROUTED, place, sender.place(), 0);
      return Receipt.TAKEN;
    }
    if (ledger.joinArrived(place, sender.place(), sender.joinsWritten())) {
      if (own) {
        ownJoinSeen(receiver, scan, member);
      } else {
        order.sawJoin(place, sender.place(), dueMicros);
      }
      context.tally.count(Count.JOIN_DELIVERIES);
      barrier.seen(sender);
    }
    return own ? Receipt.OWN_JOIN : Receipt.TAKEN;
  }

  /**
   * A member begins behind its own JOIN.
   *
   * @param resumed whether it is a member since the frame it named
   */
  private void ownJoinSeen(User user, FrameScan scan, boolean resumed) {
    boolean quiet = scan.isQuiet();
    if (quiet) {
      seenAlone(user, 0);
    }
    order.joined(user.place(), scan.dueMicros(), quiet, resumed);
  }

  /** A JOIN or LEAVE that the other members are not shown. */
  private void seenAlone(User user, int seq) {
    user.log().quiet(seq);
    context.tally.add(Count.QUIET_COPIES, present - 1);
    barrier.seenAlone(user);
  }

  private Receipt leaveReceived(User receiver, User sender, FrameScan scan) {
    context.tally.count(Count.LEAVE_DELIVERIES);
    barrier.seen(sender);
    if (receiver.place() != sender.place()) {
      return Receipt.TAKEN;
    }
    if (scan.isQuiet()) {
      seenAlone(sender, scan.seq());
    }
    ledger.left(receiver.place());
    order.gone(receiver.place());
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
    return done && others.areDrained(present, quiet) && users.stream().noneMatch(User::isBusy);
  }

  public long lastProgressNanos() {
    return meter.lastProgressNanos();
  }

  public long firstDueNanos() {
    return meter.firstDueNanos();
  }

  public long lastDeliveryNanos() {
    return meter.lastDeliveryNanos();
  }

  /** Judges what is absent. */
  public void settle() {
    users.forEach(user -> order.settle(user.place()));
    ledger.settle();
  }

  public Stream<ConnectionFigures> connections() {
    return users.stream().map(user -> user.figures().connection(firstDueNanos()));
  }

  public Stream<SenderFigures> senders() {
    return users.stream().map(user -> user.figures().sent(user.joinsWritten()));
  }

  /** In which order the members saw the room's messages, if that was kept. */
  public Stream<RoomFigures.Seen> order() {
    return order
        .order()
        .map(seen ->
            new RoomFigures.Seen(
                number, seen.part(), id(seen.sender(), seen.seq()), seen.joinMicros()));
  }

  private String id(int place, int seq) {
    return MessageTemplate.id(context.plan.runId(), firstUser + place, seq);
  }

  public RoomFigures figures() {
    long sent = users.stream().mapToLong(user -> user.sender().textsWritten()).sum();
    return meter.figures(number, sent, delivered + others.delivered());
  }
}
