package dev.chatflow.client.record;

/**
 * CPU time of the machine so far, in nanoseconds over all cores; all 0 if unknown.
 *
 * @param busyNanos used by all programs of this machine
 * @param stolenNanos used by other machines of the same host
 */
public record MachineCpu(long busyNanos, long idleNanos, long stolenNanos) {
  public static final MachineCpu UNKNOWN = new MachineCpu(0, 0, 0);

  public MachineCpu minus(MachineCpu earlier) {
    return new MachineCpu(
        busyNanos - earlier.busyNanos,
        idleNanos - earlier.idleNanos,
        stolenNanos - earlier.stolenNanos);
  }

  public MachineCpu plus(MachineCpu other) {
    return new MachineCpu(
        busyNanos + other.busyNanos, idleNanos + other.idleNanos, stolenNanos + other.stolenNanos);
  }

  public long totalNanos() {
    return busyNanos + idleNanos + stolenNanos;
  }
}
