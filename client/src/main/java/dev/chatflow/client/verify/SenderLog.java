package dev.chatflow.client.verify;

import java.util.Arrays;
import java.util.BitSet;

/**
 * What one user wrote: per sequence number when it was due, written and echoed, and how many
 * members have it. Sequence 0 is every JOIN, texts and LEAVEs follow from 1.
 *
 * <p>Belongs to the load thread of its room. Times are nanoseconds since the run's origin; 0 is
 * never.
 */
public final class SenderLog {
  private static final int MAX_FIRST_CAPACITY = 1 << 16;

  private long[] due;
  private long[] written;
  private long[] echoed;
  private long[] firstCopy;
  private int[] copies;
  private final BitSet refused = new BitSet();
  private final BitSet resent = new BitSet();
  private int size;
  private int leaveCount;
  private final BitSet leaves = new BitSet();

  public SenderLog(int expectedTexts) {
    int capacity = Math.min(expectedTexts, MAX_FIRST_CAPACITY) + 2;
    due = new long[capacity];
    written = new long[capacity];
    echoed = new long[capacity];
    firstCopy = new long[capacity];
    copies = new int[capacity];
  }

  /** Notes the next message and returns its sequence number. */
  public int append(long dueNanos, long writtenNanos) {
    if (size == due.length) {
      grow();
    }
    due[size] = dueNanos;
    written[size] = writtenNanos;
    return size++;
  }

  /** How many sequence numbers were given out. */
  public int size() {
    return size;
  }

  /** Corrects the write time of a message that had waited in our own buffer. */
  public void writtenAt(int seq, long nanos) {
    written[seq] = nanos;
  }

  public long due(int seq) {
    return due[seq];
  }

  public long written(int seq) {
    return written[seq];
  }

  public long echoed(int seq) {
    return echoed[seq];
  }

  public boolean isEchoed(int seq) {
    return echoed[seq] != 0;
  }

  /** Notes the first echo; false for a further one. */
  public boolean echoedAt(int seq, long nanos) {
    if (echoed[seq] != 0) {
      return false;
    }
    echoed[seq] = nanos;
    return true;
  }

  /** Counts one member's first copy and returns how many have it now. */
  public int copied(int seq, long nanos) {
    if (copies[seq]++ == 0) {
      firstCopy[seq] = nanos;
    }
    return copies[seq];
  }

  public int copies(int seq) {
    return copies[seq];
  }

  public long firstCopy(int seq) {
    return firstCopy[seq];
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

  private void grow() {
    int capacity = due.length * 2;
    due = Arrays.copyOf(due, capacity);
    written = Arrays.copyOf(written, capacity);
    echoed = Arrays.copyOf(echoed, capacity);
    firstCopy = Arrays.copyOf(firstCopy, capacity);
    copies = Arrays.copyOf(copies, capacity);
  }
}
