package dev.chatflow.client.record;

import java.util.Map;
import java.util.TreeMap;

/**
 * The counts of one load thread. Only that thread writes, others read after it has ended; during
 * the run it publishes {@link Progress} values.
 */
@SuppressWarnings("EnumOrdinal") // an array: counted on the message path, stored by name
public final class Tally {
  private static final int MAX_FAILURES = 50;
  private static final int UNAUTHORIZED = 4001;
  private static final int EXPIRED = 4002;

  private final long[] counts = new long[Count.values().length];
  private double inFlightNanos;
  private final Map<String, Long> errorCodes = new TreeMap<>();
  private final Map<Integer, Long> closeCodes = new TreeMap<>();
  private final Map<String, Long> failures = new TreeMap<>();

  public void count(Count count) {
    counts[count.ordinal()]++;
  }

  public void add(Count count, long number) {
    counts[count.ordinal()] += number;
  }

  public long of(Count count) {
    return counts[count.ordinal()];
  }

  public void rejected(String errorCode) {
    count(Count.REJECTED);
    errorCodes.merge(errorCode, 1L, Long::sum);
  }

  /**
   * Counts a connection lost to the server or the network; slow readers are counted separately.
   *
   * @param again whether its user was returning from another loss
   */
  public void lostConnection(int closeCode, boolean slow, boolean again) {
    if (slow) {
      count(Count.SLOW_LOST);
    } else {
      count(Count.CONNECTIONS_LOST);
      add(Count.LOST_AGAIN, again ? 1 : 0);
    }
    add(Count.UNAUTHORIZED, closeCode == UNAUTHORIZED ? 1 : 0);
    add(Count.EXPIRED, closeCode == EXPIRED ? 1 : 0);
    closeCodes.merge(closeCode, 1L, Long::sum);
  }

  /**
   * Counts a failure of a connection or a post by its text, without times: "reconnect after 1038
   * ms" equals that after any other time. Keeps at most {@value #MAX_FAILURES} different ones.
   */
  public void failure(String reason) {
    String kind = reason.replaceAll("(?<= after )[0-9]+(?= ms)", "N");
    if (failures.size() < MAX_FAILURES || failures.containsKey(kind)) {
      failures.merge(kind, 1L, Long::sum);
    }
  }

  /** Adds messages in flight, weighted by time. */
  public void inFlight(long messages, long nanos) {
    inFlightNanos += (double) messages * nanos;
  }

  /**
   * Returns the time-weighted sum of messages in flight, in message-nanoseconds of the main window.
   */
  public double inFlightNanos() {
    return inFlightNanos;
  }

  public long deliveries() {
    return of(Count.TEXT_DELIVERIES) + of(Count.JOIN_DELIVERIES) + of(Count.LEAVE_DELIVERIES);
  }

  public long written() {
    return of(Count.TEXTS_WRITTEN) + of(Count.JOINS_WRITTEN) + of(Count.LEAVES_WRITTEN);
  }

  public long echoed() {
    return of(Count.TEXTS_ECHOED) + of(Count.JOINS_ECHOED) + of(Count.LEAVES_ECHOED);
  }

  public Map<String, Long> errorCodes() {
    return errorCodes;
  }

  public Map<Integer, Long> closeCodes() {
    return closeCodes;
  }

  public Map<String, Long> failures() {
    return failures;
  }

  /** Adds the counts of an ended thread. */
  public void add(Tally other) {
    for (int i = 0; i < counts.length; i++) {
      counts[i] += other.counts[i];
    }
    inFlightNanos += other.inFlightNanos;
    other.errorCodes.forEach((code, number) -> errorCodes.merge(code, number, Long::sum));
    other.closeCodes.forEach((code, number) -> closeCodes.merge(code, number, Long::sum));
    other.failures.forEach((reason, number) -> failures.merge(reason, number, Long::sum));
  }
}
