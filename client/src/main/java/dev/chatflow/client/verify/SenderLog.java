package dev.chatflow.client.verify;

import java.util.Arrays;
import java.util.BitSet;

/**
 * What one user wrote: per sequence number when it was due, written and echoed, and how many
 * members have it. Sequence 0 is every JOIN, texts and LEAVEs follow from 1.
 *
 * <p>Times are kept from the oldest message on that somebody may still lack, 36 bytes each: in an
 * undisturbed run a window of what is in flight, however long it lasts. A member that never gets a
 * message keeps it, and all after it, here to the end. What is older counts as echoed.
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
   * An empty log.
   *
   * @param members how many copies of a message there are when everybody has it
   * @param keepsAll whether times are asked for after the run
   */
  public SenderLog(int members, boolean keepsAll) {
    this.members = members;
    this.keepsAll = keepsAll;
  }

  /** Notes the next message and returns its sequence number. */
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

  /** How many sequence numbers were given out. */
  public int size() {
    return size;
  }

  /** Corrects the write time of a message that had waited in our own buffer. */
  public void writtenAt(int seq, long nanos) {
    if (isKept(seq)) {
      written[row(seq)] = nanos;
    }
  }

  /** Whether the times of this message are still here; only then may they be asked for. */
  public boolean isKept(int seq) {
    return seq == 0 || seq >= oldest;
  }

  /** Lets go of the oldest messages that everybody has, when this may have been the last copy. */
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

  /** Notes the first echo; false for a further one. */
  public boolean echoedAt(int seq, long nanos) {
    if (isEchoed(seq)) {
      return false;
    }
    echoed[row(seq)] = nanos;
    return true;
  }

  /** Counts one member's first copy and returns how many have it now. */
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

  /** Notes that the server refused the message; false when that was known. */
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

  /** Nobody can tell any more what became of a message that was not seen to come back. */
  public void doubt(int seq) {
    doubtful.set(seq);
  }

  public boolean isDoubtful(int seq) {
    return doubtful.get(seq);
  }

  /** Notes that a JOIN or LEAVE is shown to its own connection alone. */
  public void quiet(int seq) {
    quiet.set(seq);
  }

  public boolean isQuiet(int seq) {
    return quiet.get(seq);
  }

  /** Declares the last number given out to be a LEAVE. */
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

  /** The row of 0 is the first, the others take turns in those behind it. */
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

  /** Twice the rows: each is put where its number may look for it, in both halves. */
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
