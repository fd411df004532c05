package dev.chatflow.client.record;

import java.util.Map;
import java.util.TreeMap;

/**
 * What one load thread counted. Plain numbers: only that thread writes, others read after it has
 * ended; during the run it publishes {@link Progress} values.
 */
public final class Tally {
  public long textsWritten;
  public long joinsWritten;
  public long leavesWritten;
  public long textsEchoed;
  public long joinsEchoed;
  public long leavesEchoed;
  public long textsUnsent;
  public long rejected;
  public long retries;
  public long connectionsOpened;
  public long connectionsFailed;
  public long reconnections;
  public long connectionsLost;

  /** Those of the lost connections whose user was on the way back from another loss. */
  public long lostAgain;

  public long slowLost;
  public long dropped;
  public long resent;
  public long textDeliveries;

  /** Those of {@link #textDeliveries} that came before the main phase. */
  public long warmupDeliveries;

  public long joinDeliveries;
  public long leaveDeliveries;
  public long syntheticLeaves;
  public long foreignFrames;
  public long unreadableFrames;

  /** Intervals of main phase and drain. */
  public long intervals;

  /** Those in which this thread was late because the client had more to do than it could. */
  public long saturatedIntervals;

  /** Those in which it was late because others had the CPU. */
  public long starvedIntervals;

  /** Time of main phase and drain, and the part of it not spent waiting for I/O. */
  public long mainNanos;

  public long busyNanos;

  /** CPU time of the loop in main phase and drain, and time in which it waited for a CPU. */
  public long loopCpuNanos;

  public long loopQueuedNanos;

  /** Time-weighted sum of messages in flight, in message-nanoseconds of the main window. */
  public double inFlightNanos;

  private final Map<String, Long> errorCodes = new TreeMap<>();
  private final Map<Integer, Long> closeCodes = new TreeMap<>();
  private final Map<String, Long> failures = new TreeMap<>();

  public void rejected(String errorCode) {
    rejected++;
    errorCodes.merge(errorCode, 1L, Long::sum);
  }

  /**
   * Counts a connection that the server or the network ended; slow readers are counted apart.
   *
   * @param again whether its user was on the way back from another loss
   */
  public void lostConnection(int closeCode, boolean slow, boolean again) {
    if (slow) {
      slowLost++;
    } else {
      connectionsLost++;
      lostAgain += again ? 1 : 0;
    }
    closeCodes.merge(closeCode, 1L, Long::sum);
  }

  /** Counts a reason of a failed connect; keeps at most 50 different ones. */
  public void failure(String reason) {
    if (failures.size() < 50 || failures.containsKey(reason)) {
      failures.merge(reason, 1L, Long::sum);
    }
  }

  public long deliveries() {
    return textDeliveries + joinDeliveries + leaveDeliveries;
  }

  public long written() {
    return textsWritten + joinsWritten + leavesWritten;
  }

  public long echoed() {
    return textsEchoed + joinsEchoed + leavesEchoed;
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

  /** Adds the numbers of an ended thread. */
  public void add(Tally other) {
    textsWritten += other.textsWritten;
    joinsWritten += other.joinsWritten;
    leavesWritten += other.leavesWritten;
    textsEchoed += other.textsEchoed;
    joinsEchoed += other.joinsEchoed;
    leavesEchoed += other.leavesEchoed;
    textsUnsent += other.textsUnsent;
    rejected += other.rejected;
    retries += other.retries;
    connectionsOpened += other.connectionsOpened;
    connectionsFailed += other.connectionsFailed;
    reconnections += other.reconnections;
    connectionsLost += other.connectionsLost;
    lostAgain += other.lostAgain;
    slowLost += other.slowLost;
    dropped += other.dropped;
    resent += other.resent;
    textDeliveries += other.textDeliveries;
    warmupDeliveries += other.warmupDeliveries;
    joinDeliveries += other.joinDeliveries;
    leaveDeliveries += other.leaveDeliveries;
    syntheticLeaves += other.syntheticLeaves;
    foreignFrames += other.foreignFrames;
    unreadableFrames += other.unreadableFrames;
    intervals += other.intervals;
    saturatedIntervals += other.saturatedIntervals;
    starvedIntervals += other.starvedIntervals;
    mainNanos += other.mainNanos;
    busyNanos += other.busyNanos;
    loopCpuNanos += other.loopCpuNanos;
    loopQueuedNanos += other.loopQueuedNanos;
    inFlightNanos += other.inFlightNanos;
    other.errorCodes.forEach((code, count) -> errorCodes.merge(code, count, Long::sum));
    other.closeCodes.forEach((code, count) -> closeCodes.merge(code, count, Long::sum));
    other.failures.forEach((reason, count) -> failures.merge(reason, count, Long::sum));
  }
}
