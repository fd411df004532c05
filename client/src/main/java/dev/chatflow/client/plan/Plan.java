package dev.chatflow.client.plan;

import dev.chatflow.client.CommandFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything a run will do, decided and validated before the first connection.
 *
 * <p>Immutable; read by all threads.
 *
 * @param runId four base-36 characters that mark every message of this run
 * @param seed source of all randomness of the run
 * @param part which part of the run this program plays; null: all of it
 */
public record Plan(
    Target target,
    Workload workload,
    Pacing pacing,
    Connecting connecting,
    Judging judging,
    Disturbance disturbance,
    String runId,
    long seed,
    @Nullable Part part) {

  /**
   * One of several programs that make one run together, each with some users of every room.
   *
   * @param number from 1
   * @param start when all of them begin to send
   */
  public record Part(int number, int count, Instant start) {
    public static final int MOST = 64;

    public Part {
      CommandFailure.requireRange("parts of --part", count, 1, MOST);
      CommandFailure.requireRange("number of --part", number, 1, count);
    }

    /** The first place that is this part's in a room of so many. */
    int first(int size) {
      return (int) ((long) size * (number - 1) / count);
    }

    /** The first place behind those of this part. */
    int end(int size) {
      return (int) ((long) size * number / count);
    }
  }

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
    if (part != null && (turns || webSocketOnly || connecting.http())) {
      throw CommandFailure.usage(
          "--part excludes --pool-size, --mix, --churn, --slow, --reconnect and --transport=http");
    }
    if (part != null && workload.roomSize() < part.count()) {
      throw CommandFailure.usage(
          "--part must leave each part a user of every room: --room-size is %d, parts are %d"
              .formatted(workload.roomSize(), part.count()));
    }
  }

  /** A plan of a run that one program plays. */
  public Plan(
      Target target,
      Workload workload,
      Pacing pacing,
      Connecting connecting,
      Judging judging,
      Disturbance disturbance,
      String runId,
      long seed) {
    this(target, workload, pacing, connecting, judging, disturbance, runId, seed, null);
  }

  /**
   * This plan as a part of a run. All parts must agree on run id and seed; each keeps the order of
   * every room, by which they are compared afterwards.
   */
  public Plan asPart(Part of, String commonRunId, long commonSeed) {
    Judging kept =
        new Judging(
            Judging.Level.KEPT_ORDER,
            judging.drain(),
            judging.allowRetryDuplicates(),
            judging.objectives());
    return new Plan(
        target, workload, pacing, connecting, kept, disturbance, commonRunId, commonSeed, of);
  }

  /** The run that this plan is a part of: one part, which plays everybody. */
  public Plan together() {
    Part all = new Part(1, 1, part == null ? Instant.EPOCH : part.start());
    return asPart(all, runId, seed);
  }

  /** The first place in each room whose user is played here. */
  public int firstPlace() {
    return part == null ? 0 : part.first(workload.roomSize());
  }

  /** How many users of each room are played here, from {@link #firstPlace} on. */
  public int places() {
    int size = workload.roomSize();
    return part == null ? size : part.end(size) - firstPlace();
  }

  /** Those of them that have a WebSocket. */
  public int listeners() {
    return Math.min(places(), workload.listeners());
  }

  /** The seed of what is done here: parts that drew the same would do the same at one time. */
  public long seedHere() {
    return part == null ? seed : seed + (long) Connecting.MAX_THREADS * part.number();
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
    int listeners = workload.rooms() * listeners();
    int posting = connecting.http() ? workload.users() : 0;
    return isPooled() ? connecting.poolSize() : listeners + posting;
  }

  /** Members that a room can have at once. */
  public int mostPresent() {
    return isPooled() ? Math.min(listeners(), connections()) : listeners();
  }

  public ExpectedCounts expected() {
    return ExpectedCounts.of(workload);
  }

  /** Whether the number of deliveries is known before the run, and all of them are seen here. */
  public boolean exact() {
    return part == null
        && !workload.isOpenEnded()
        && hasBarriers()
        && disturbance.equals(Disturbance.NONE);
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
    return new Plan(target, step, open, connecting, judging, disturbance, stepId, seed, part);
  }

  /** This plan on the first servers only. */
  public Plan onServers(int count) {
    CommandFailure.requireRange("servers", count, 1, target.urls().size());
    Target first = new Target(target.urls().subList(0, count), target.together());
    return new Plan(first, workload, pacing, connecting, judging, disturbance, runId, seed, part);
  }

  public Plan withObjective(Judging.Objective objective) {
    List<Judging.Objective> all = new ArrayList<>(judging.objectives());
    all.add(objective);
    Judging stricter =
        new Judging(judging.level(), judging.drain(), judging.allowRetryDuplicates(), all);
    return new Plan(target, workload, pacing, connecting, stricter, disturbance, runId, seed, part);
  }
}
