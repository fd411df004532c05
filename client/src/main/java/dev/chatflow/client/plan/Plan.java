package dev.chatflow.client.plan;

/**
 * Everything a run will do, decided and validated before the first connection.
 *
 * <p>Immutable; read by all threads.
 *
 * @param runId four base-36 characters that mark every message of this run
 * @param seed source of all randomness of the run
 */
public record Plan(
    Target target,
    Workload workload,
    Pacing pacing,
    Connecting connecting,
    Judging judging,
    Disturbance disturbance,
    String runId,
    long seed) {

  public Plan {
    if (!runId.matches("[0-9a-z]{4}")) {
      throw new InvalidPlan("run id '" + runId + "' is not four characters of 0-9a-z");
    }
  }

  /** Load threads that really run: whole rooms live on one thread, so never more than rooms. */
  public int loadThreads() {
    return Math.min(connecting.threads(), workload.rooms());
  }

  public ExpectedCounts expected() {
    return ExpectedCounts.of(workload);
  }

  /** Whether the number of deliveries is known before the run. */
  public boolean exact() {
    return !workload.isOpenEnded() && disturbance.equals(Disturbance.NONE);
  }
}
