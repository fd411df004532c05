package dev.chatflow.client.plan;

import dev.chatflow.client.CommandFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

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
      throw CommandFailure.usage("run id '" + runId + "' is not four characters of 0-9a-z");
    }
    boolean turns =
        connecting.poolSize() != Connecting.ALL && connecting.poolSize() < workload.users();
    if (turns && (pacing.model() == Pacing.Model.OPEN || !disturbance.equals(Disturbance.NONE))) {
      throw CommandFailure.usage(
          "--pool-size below the number of users excludes --rate, --stages, --churn, --slow and"
              + " --reconnect");
    }
    boolean webSocketOnly =
        turns || workload.roles().mix().rejoins() || !disturbance.equals(Disturbance.NONE);
    if (connecting.http() && webSocketOnly) {
      throw CommandFailure.usage(
          "--transport=http excludes --pool-size, --mix, --churn, --slow and --reconnect");
    }
    if (turns && workload.warmup().users() > 0) {
      throw CommandFailure.usage(
          "--pool-size below the number of users excludes --warmup=USERSxMSGS");
    }
  }

  /**
   * Load threads that really run: whole rooms live on one thread, so never more than rooms, nor
   * than rooms that a pool can fill.
   */
  public int loadThreads() {
    int threads = Math.min(connecting.threads(), workload.rooms());
    return isPooled()
        ? Math.max(1, Math.min(threads, connecting.poolSize() / workload.roomSize()))
        : threads;
  }

  /** Whether users take turns because not all may be connected at once. */
  public boolean isPooled() {
    return connecting.poolSize() != Connecting.ALL && connecting.poolSize() < workload.users();
  }

  /** Connections open at once. */
  public int connections() {
    int listeners = workload.rooms() * workload.listeners();
    int posting = connecting.http() ? workload.users() : 0;
    return isPooled() ? connecting.poolSize() : listeners + posting;
  }

  /** Members that a room can have at once. */
  public int mostPresent() {
    return isPooled() ? Math.min(workload.listeners(), connections()) : workload.listeners();
  }

  public ExpectedCounts expected() {
    return ExpectedCounts.of(workload);
  }

  /** Whether the number of deliveries is known before the run. */
  public boolean exact() {
    return !workload.isOpenEnded() && hasBarriers() && disturbance.equals(Disturbance.NONE);
  }

  /** Whether all members join before the first TEXT and leave after the last. */
  public boolean hasBarriers() {
    return !isPooled() && !workload.roles().mix().rejoins();
  }

  /**
   * This plan as one step of a search: open model at a rate, for a settling and a measured time.
   */
  public Plan atRate(double rate, Duration settle, Duration measured, String stepId) {
    Workload step =
        new Workload(
            workload.rooms(),
            workload.roomSize(),
            Workload.UNTIL_TIME_PER_USER * workload.users(),
            workload.messageBytes(),
            Warmup.of(settle),
            settle.plus(measured),
            workload.roles());
    Pacing open = Pacing.open(rate, pacing.window(), pacing.poisson());
    return new Plan(target, step, open, connecting, judging, disturbance, stepId, seed);
  }

  /** This plan on the first servers only. */
  public Plan onServers(int count) {
    CommandFailure.requireRange("servers", count, 1, target.urls().size());
    Target first = new Target(target.urls().subList(0, count), target.together());
    return new Plan(first, workload, pacing, connecting, judging, disturbance, runId, seed);
  }

  public Plan withObjective(Objective objective) {
    List<Objective> all = new ArrayList<>(judging.objectives());
    all.add(objective);
    Judging stricter =
        new Judging(judging.level(), judging.drain(), judging.allowRetryDuplicates(), all);
    return new Plan(target, workload, pacing, connecting, stricter, disturbance, runId, seed);
  }
}
