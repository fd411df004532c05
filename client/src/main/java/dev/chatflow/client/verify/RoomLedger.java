package dev.chatflow.client.verify;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Records for one room which members have received which messages.
 *
 * <p>Belongs to the load thread of its room. Users are identified by their index in the room. For
 * each receiver and sender it keeps the next expected number; only an unexpected number allocates a
 * {@link ReceivedNumbers}. JOINs (sequence 0) are counted separately, because a user may join
 * again.
 */
public final class RoomLedger {
  private static final int IN_SEEN = Integer.MIN_VALUE;

  private final int room;
  private final int firstUser;
  private final int members;
  private final Findings findings;
  private final SenderLog[] logs;
  private final Membership[] memberships;
  private final int[] next;
  private final @Nullable ReceivedNumbers[] seen;
  private final int[] joins;
  private final long[] misses;
  private int absent;
  private long duplicates;

  public RoomLedger(int room, int firstUser, SenderLog[] logs, Findings findings) {
    this.room = room;
    this.firstUser = firstUser;
    this.members = logs.length;
    this.logs = logs.clone();
    this.findings = findings;
    memberships = new Membership[members];
    for (int i = 0; i < members; i++) {
      memberships[i] = new Membership();
    }
    next = new int[members * members];
    java.util.Arrays.fill(next, 1);
    seen = new ReceivedNumbers[members * members];
    joins = new int[members * members];
    misses = new long[members];
  }

  /** Records a TEXT or LEAVE; returns whether it is this receiver's first copy. */
  public boolean arrived(int receiver, int sender, int seq) {
    int cell = receiver * members + sender;
    if (next[cell] == seq) {
      next[cell] = seq + 1;
      return true;
    }
    return outOfTurn(cell, receiver, sender, seq);
  }

  /** Returns whether this is the next message that the receiver expects from the sender. */
  public boolean isExpected(int receiver, int sender, int seq) {
    ReceivedNumbers set = seen[receiver * members + sender];
    return set == null ? next[receiver * members + sender] == seq : !set.contains(seq);
  }

  /** Records a JOIN; returns whether it is new to the receiver. */
  public boolean joinArrived(int receiver, int sender, int joinsWritten) {
    int cell = receiver * members + sender;
    if (++joins[cell] > joinsWritten) {
      found(Defect.DUPLICATE, receiver, sender, 0);
      duplicates++;
      return false;
    }
    return true;
  }

  public void joined(int receiver, long nanos) {
    memberships[receiver].joined(nanos);
  }

  public void leaves(int receiver, long nanos) {
    memberships[receiver].leaves(nanos);
  }

  public void left(int receiver) {
    memberships[receiver].left();
  }

  /**
   * Records a lost connection: unless the member resumes, messages before its next JOIN are
   * optional.
   */
  public void lost(int receiver) {
    int[] highest = new int[members];
    for (int sender = 0; sender < members; sender++) {
      ReceivedNumbers set = seen[receiver * members + sender];
      highest[sender] = set == null ? next[receiver * members + sender] - 1 : set.highest();
    }
    memberships[receiver].lost(highest);
  }

  /** Records that a returning member received its last frame again: no message may be missing. */
  public void resumed(int receiver) {
    memberships[receiver].resumed();
  }

  /** Returns whether the member has ever resumed. */
  public boolean hasResumed(int receiver) {
    return memberships[receiver].hasResumed();
  }

  public boolean isMember(int receiver) {
    return memberships[receiver].isMember();
  }

  /** Records a defect that is visible in the frame. */
  public void found(Defect defect, int receiver, int sender, int seq) {
    boolean known = sender >= 0 && sender < members && seq >= 0 && seq < logs[sender].size();
    boolean kept = known && logs[sender].isKept(seq);
    findings.add(
        new Findings.Example(
            defect,
            room,
            sender < 0 ? -1 : firstUser + sender,
            seq,
            firstUser + receiver,
            kept ? logs[sender].written(seq) : -1,
            kept && logs[sender].isEchoed(seq) ? logs[sender].echoed(seq) : -1));
  }

  /** Returns the number of copies that were overtaken and have not arrived. */
  public int absent() {
    return absent;
  }

  public long duplicates() {
    return duplicates;
  }

  /** Judges missing copies. Call it once, after the drain and the leave barrier. */
  public void settle() {
    for (int sender = 0; sender < members; sender++) {
      settleAnswers(sender);
    }
    for (int receiver = 0; receiver < members; receiver++) {
      for (int sender = 0; sender < members; sender++) {
        settle(receiver, sender);
      }
    }
  }

  /** Returns the number of missing copies of a receiver. Valid after {@link #settle}. */
  public long missing(int receiver) {
    return misses[receiver];
  }

  private boolean outOfTurn(int cell, int receiver, int sender, int seq) {
    ReceivedNumbers set = seen[cell];
    if (set == null) {
      set = new ReceivedNumbers(next[cell]);
      seen[cell] = set;
      next[cell] = IN_SEEN;
    }
    boolean answer = receiver == sender && logs[sender].isResent(seq);
    if (set.contains(seq)) {
      if (!answer) {
        duplicates++;
        boolean retried = logs[sender].isResent(seq);
        found(retried ? Defect.RETRY_DUPLICATE : Defect.DUPLICATE, receiver, sender, seq);
      }
      return false;
    }
    int before = set.highest();
    if (set.add(seq)) {
      absent += seq - before - 1;
    } else {
      absent--;
      if (!answer) {
        found(Defect.REORDERED, receiver, sender, seq);
      }
    }
    return true;
  }

  private void settleAnswers(int sender) {
    SenderLog log = logs[sender];
    for (int seq = 0; seq < log.size(); seq++) {
      if (log.isEchoed(seq) || log.isRefused(seq)) {
        continue;
      }
      if (!isInDoubt(sender, seq)) {
        found(Defect.UNANSWERED, sender, sender, seq);
      } else if (seq > 0 && isPartial(sender, seq)) {
        found(Defect.PARTIAL, sender, sender, seq);
      }
    }
  }

  /**
   * Returns whether the outcome of an unanswered message is unknown: none, some or all members may
   * have it.
   */
  private boolean isInDoubt(int sender, int seq) {
    return memberships[sender].isLostForGood() || logs[sender].isDoubtful(seq);
  }

  private boolean isPartial(int sender, int seq) {
    int having = 0;
    int lacking = 0;
    for (int receiver = 0; receiver < members; receiver++) {
      Membership other = memberships[receiver];
      boolean never = other.joinedNanos() == Long.MAX_VALUE;
      if (receiver == sender || never || other.wasInterrupted()) {
        continue;
      }
      if (has(receiver, sender, seq)) {
        having++;
      } else if (logs[sender].written(seq) < memberships[receiver].leaveNanos()) {
        lacking++;
      }
    }
    return having > 0 && lacking > 0;
  }

  private boolean has(int receiver, int sender, int seq) {
    int cell = receiver * members + sender;
    ReceivedNumbers set = seen[cell];
    return set == null ? seq < next[cell] : set.contains(seq);
  }

  private void settle(int receiver, int sender) {
    int cell = receiver * members + sender;
    SenderLog log = logs[sender];
    if (joins[cell] == 0 && log.size() > 0) {
      judge(receiver, sender, 0);
    }
    ReceivedNumbers set = seen[cell];
    int seq = set == null ? next[cell] : set.nextMissing(1);
    while (seq < log.size()) {
      judge(receiver, sender, seq);
      seq = set == null ? seq + 1 : set.nextMissing(seq + 1);
    }
  }

  private void judge(int receiver, int sender, int seq) {
    if (isRequired(receiver, sender, seq)) {
      misses[receiver]++;
      found(Defect.LOST, receiver, sender, seq);
    }
  }

  /**
   * Returns whether the receiver must have the message. It must have been a member from the write
   * to the sender's copy, without a loss of its own connection. The message must be neither
   * rejected nor quiet, because only the sender receives a quiet one.
   */
  private boolean isRequired(int receiver, int sender, int seq) {
    SenderLog log = logs[sender];
    Membership member = memberships[receiver];
    long written = log.written(seq);
    if (log.isRefused(seq) || (receiver != sender && log.isQuiet(seq))) {
      return false;
    }
    long end = log.isEchoed(seq) ? log.echoed(seq) : written;
    boolean never = member.joinedNanos() == Long.MAX_VALUE;
    boolean excused =
        receiver == sender ? member.isLostForGood() : member.excuses(sender, seq, written, end);
    if (never || excused) {
      return false;
    }
    if (!log.isEchoed(seq) && isInDoubt(sender, seq)) {
      return false; // unknown outcome: judged as partial
    }
    if (receiver == sender) {
      return true;
    }
    return written >= member.joinedNanos() && end <= member.leaveNanos();
  }

  /** The sequence numbers that one receiver has from one sender, kept once there is a gap. */
  private static final class ReceivedNumbers {
    private final BitSet bits = new BitSet();
    private int highest;

    /** Starts with the numbers below {@code next}. */
    ReceivedNumbers(int next) {
      bits.set(1, next);
      highest = next - 1;
    }

    boolean contains(int seq) {
      return bits.get(seq);
    }

    /** Adds a new number and returns whether it is the highest so far. */
    boolean add(int seq) {
      bits.set(seq);
      if (seq < highest) {
        return false;
      }
      highest = seq;
      return true;
    }

    int highest() {
      return highest;
    }

    int nextMissing(int from) {
      return bits.nextClearBit(from);
    }
  }
}
