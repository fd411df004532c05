package dev.chatflow.client.record;

/**
 * CPU time so far of the whole machine, in nanoseconds over all cores; all 0 where it is not told.
 *
 * @param busyNanos used by anybody on this machine
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
