package dev.chatflow.client.verify;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Who of one room has which message of whom.
 *
 * <p>Belongs to the load thread of its room. Users are named by their place in the room. Per
 * receiver and sender one number is kept, the next one expected; only when a message does not come
 * in its turn is a {@link Seen} allocated. JOINs (sequence 0) are counted apart, because a user may
 * join again.
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
  private final @Nullable Seen[] seen;
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
    seen = new Seen[members * members];
    joins = new int[members * members];
    misses = new long[members];
  }

  /** A TEXT or LEAVE came; returns whether it is this receiver's first copy. */
  public boolean arrived(int receiver, int sender, int seq) {
    int cell = receiver * members + sender;
    if (next[cell] == seq) {
      next[cell] = seq + 1;
      return true;
    }
    return outOfTurn(cell, receiver, sender, seq);
  }

  /** Whether this receiver waits for exactly this message of the sender. */
  public boolean isExpected(int receiver, int sender, int seq) {
    Seen set = seen[receiver * members + sender];
    return set == null ? next[receiver * members + sender] == seq : !set.contains(seq);
  }

  /** A JOIN came; returns whether the receiver had not seen this one. */
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
   * The connection of a member is gone; unless it resumes, what comes before its JOIN is optional.
   */
  public void lost(int receiver) {
    int[] highest = new int[members];
    for (int sender = 0; sender < members; sender++) {
      Seen set = seen[receiver * members + sender];
      highest[sender] = set == null ? next[receiver * members + sender] - 1 : set.highest();
    }
    memberships[receiver].lost(highest);
  }

  /** A member that lost its connection was shown its last frame again: nothing may be missing. */
  public void resumed(int receiver) {
    memberships[receiver].resumed();
  }

  /** Whether the member has ever resumed. */
  public boolean hasResumed(int receiver) {
    return memberships[receiver].hasResumed();
  }

  public boolean isMember(int receiver) {
    return memberships[receiver].isMember();
  }

  /** Notes a defect that the frame itself shows. */
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

  /** Copies known to be overtaken and not yet here. */
  public int absent() {
    return absent;
  }

  public long duplicates() {
    return duplicates;
  }

  /** Judges what is absent; call once, after the drain and the leave barrier. */
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

  /** How many copies the receiver lacks; known after {@link #settle}. */
  public long missing(int receiver) {
    return misses[receiver];
  }

  private boolean outOfTurn(int cell, int receiver, int sender, int seq) {
    Seen set = seen[cell];
    if (set == null) {
      set = new Seen(next[cell]);
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

  /** Whether nobody owes an answer to a message that has none: then some or all may have it. */
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
    Seen set = seen[cell];
    return set == null ? seq < next[cell] : set.contains(seq);
  }

  private void settle(int receiver, int sender) {
    int cell = receiver * members + sender;
    SenderLog log = logs[sender];
    if (joins[cell] == 0 && log.size() > 0) {
      judge(receiver, sender, 0);
    }
    Seen set = seen[cell];
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
   * Whether the receiver must have the message: it was a member from the write to the sender's own
   * copy, no loss of its own connection excuses it, and the message was neither refused nor quiet:
   * then only the sender itself is shown it.
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
      return false; // in doubt: judged as partial
    }
    if (receiver == sender) {
      return true;
    }
    return written >= member.joinedNanos() && end <= member.leaveNanos();
  }

  /**
   * Which sequence numbers of one sender one receiver has; only kept once they arrived with a gap.
   */
  private static final class Seen {
    private final BitSet bits = new BitSet();
    private int highest;

    /** Starts with {@code 1 .. next - 1} seen. */
    Seen(int next) {
      bits.set(1, next);
      highest = next - 1;
    }

    boolean contains(int seq) {
      return bits.get(seq);
    }

    /** Adds a number that was not seen and returns whether it is the highest so far. */
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
