package dev.chatflow.client.verify;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The messages of one user: when each sequence number was due, written and echoed, and how many
 * members have it. Sequence 0 is every JOIN; texts and LEAVEs follow from 1.
 *
 * <p>Times are kept from the oldest message that a member may still miss, 36 bytes each. In an
 * undisturbed run these are the messages in flight. A message that a member never receives stays to
 * the end, with all later ones. Older messages count as echoed.
 *
 * <p>Belongs to the load thread of its room. Times are nanoseconds since the run's origin; 0 is
 * never.
 */
public final class SenderLog {
  private static final int FIRST_CAPACITY = 64;

  private final int members;
  private final boolean keepsAll;
  private long[] due = new long[1 + FIRST_CAPACITY];
  private long[] written = new long[1 + FIRST_CAPACITY];
  private long[] echoed = new long[1 + FIRST_CAPACITY];
  private long[] firstCopy = new long[1 + FIRST_CAPACITY];
  private int[] copies = new int[1 + FIRST_CAPACITY];
  private final BitSet refused = new BitSet();
  private final BitSet resent = new BitSet();
  private final BitSet doubtful = new BitSet();
  private final BitSet quiet = new BitSet();
  private int capacity = FIRST_CAPACITY;
  private int oldest = 1;
  private int size;
  private int leaveCount;
  private final BitSet leaves = new BitSet();

  /**
   * Creates an empty log.
   *
   * @param members number of copies when all members have a message
   * @param keepsAll whether times are needed after the run
   */
  public SenderLog(int members, boolean keepsAll) {
    this.members = members;
    this.keepsAll = keepsAll;
  }

  /** Records the next message and returns its sequence number. */
  public int append(long dueNanos, long writtenNanos) {
    if (size - oldest == capacity) {
      grow();
    }
    int row = row(size);
    due[row] = dueNanos;
    written[row] = writtenNanos;
    echoed[row] = 0;
    firstCopy[row] = 0;
    copies[row] = 0;
    return size++;
  }

  /** Returns the number of assigned sequence numbers. */
  public int size() {
    return size;
  }

  /** Corrects the write time of a message that waited in the client's buffer. */
  public void writtenAt(int seq, long nanos) {
    if (isKept(seq)) {
      written[row(seq)] = nanos;
    }
  }

  /** Returns whether the times of this message are still kept. Only then may they be read. */
  public boolean isKept(int seq) {
    return seq == 0 || seq >= oldest;
  }

  /** Removes the oldest messages that all members have, if this may have been the last copy. */
  public void forget(int seq) {
    if (seq == oldest && !keepsAll) {
      while (oldest < size && copies[row(oldest)] == members && echoed[row(oldest)] != 0) {
        oldest++;
      }
    }
  }

  public long due(int seq) {
    return due[row(seq)];
  }

  public long written(int seq) {
    return written[row(seq)];
  }

  public long echoed(int seq) {
    return echoed[row(seq)];
  }

  public boolean isEchoed(int seq) {
    return !isKept(seq) || echoed[row(seq)] != 0;
  }

  /** Records the first echo; false for later ones. */
  public boolean echoedAt(int seq, long nanos) {
    if (isEchoed(seq)) {
      return false;
    }
    echoed[row(seq)] = nanos;
    return true;
  }

  /** Counts one member's first copy and returns the number of members that have it. */
  public int copied(int seq, long nanos) {
    int row = row(seq);
    if (copies[row]++ == 0) {
      firstCopy[row] = nanos;
    }
    return copies[row];
  }

  public long firstCopy(int seq) {
    return firstCopy[row(seq)];
  }

  /** Records that the server rejected the message; false if that was known. */
  public boolean refuse(int seq) {
    boolean known = refused.get(seq);
    refused.set(seq);
    return !known;
  }

  public boolean isRefused(int seq) {
    return refused.get(seq);
  }

  public int refusedTexts() {
    return (int) refused.stream().filter(this::isText).count();
  }

  public void resend(int seq) {
    resent.set(seq);
  }

  public boolean isResent(int seq) {
    return resent.get(seq);
  }

  /** Marks an unconfirmed message as of unknown outcome. */
  public void doubt(int seq) {
    doubtful.set(seq);
  }

  public boolean isDoubtful(int seq) {
    return doubtful.get(seq);
  }

  /** Marks a JOIN or LEAVE that only its own connection receives. */
  public void quiet(int seq) {
    quiet.set(seq);
  }

  public boolean isQuiet(int seq) {
    return quiet.get(seq);
  }

  /** Marks the last assigned number as a LEAVE. */
  public void leaves() {
    leaves.set(size - 1);
    leaveCount++;
  }

  public int leaveCount() {
    return leaveCount;
  }

  public boolean isLeave(int seq) {
    return leaves.get(seq);
  }

  public boolean isText(int seq) {
    return seq > 0 && seq < size && !leaves.get(seq);
  }

  public int texts() {
    return size == 0 ? 0 : size - 1 - leaveCount;
  }

  /** Returns the row of a number: the first for 0, the others cyclically for later numbers. */
  private int row(int seq) {
    return seq == 0 ? 0 : 1 + (seq & (capacity - 1));
  }

  private void grow() {
    due = widened(due);
    written = widened(written);
    echoed = widened(echoed);
    firstCopy = widened(firstCopy);
    copies = widened(copies);
    capacity *= 2;
  }

  /** Doubles the rows and copies each into both halves, where its number may look for it. */
  private long[] widened(long[] rows) {
    long[] wide = Arrays.copyOf(rows, 1 + 2 * capacity);
    System.arraycopy(rows, 1, wide, 1 + capacity, capacity);
    return wide;
  }

  private int[] widened(int[] rows) {
    int[] wide = Arrays.copyOf(rows, 1 + 2 * capacity);
    System.arraycopy(rows, 1, wide, 1 + capacity, capacity);
    return wide;
  }
}
