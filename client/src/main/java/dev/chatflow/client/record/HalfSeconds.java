package dev.chatflow.client.record;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Counts written, accepted and delivered messages in each half second of a run.
 *
 * <p>Belongs to one load thread until the run is over. 24 bytes per half second.
 */
public final class HalfSeconds {
  private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private long[] sent = new long[256];
  private long[] accepted = new long[256];
  private long[] delivered = new long[256];
  private int size;

  public void sent(long nanos) {
    int at = bucket(nanos); // first: the arrays may grow
    sent[at]++;
  }

  public void accepted(long nanos) {
    int at = bucket(nanos); // first: the arrays may grow
    accepted[at]++;
  }

  public void delivered(long nanos) {
    int at = bucket(nanos); // first: the arrays may grow
    delivered[at]++;
  }

  /** Returns the number of half seconds up to the last count. */
  public int size() {
    return size;
  }

  public long[] sent() {
    return Arrays.copyOf(sent, size);
  }

  public long[] accepted() {
    return Arrays.copyOf(accepted, size);
  }

  public long[] delivered() {
    return Arrays.copyOf(delivered, size);
  }

  /** Adds the counts of an ended thread. */
  public void add(HalfSeconds other) {
    add(other, 0);
  }

  /** Adds the counts of a run that started later. */
  public void add(HalfSeconds other, long laterNanos) {
    int shift = Math.toIntExact(laterNanos / NANOS);
    if (other.size > 0) {
      bucket((other.size - 1 + shift) * NANOS);
    }
    for (int i = 0; i < other.size; i++) {
      sent[i + shift] += other.sent[i];
      accepted[i + shift] += other.accepted[i];
      delivered[i + shift] += other.delivered[i];
    }
  }

  private int bucket(long nanos) {
    int bucket = (int) (nanos / NANOS);
    if (bucket >= size) {
      size = bucket + 1;
      if (size > sent.length) {
        int capacity = Math.max(size, sent.length * 2);
        sent = Arrays.copyOf(sent, capacity);
        accepted = Arrays.copyOf(accepted, capacity);
        delivered = Arrays.copyOf(delivered, capacity);
      }
    }
    return bucket;
  }
}
