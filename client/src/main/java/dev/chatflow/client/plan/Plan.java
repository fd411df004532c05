package dev.chatflow.client.plan;

import dev.chatflow.client.CommandFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The complete plan of a run, validated before the first connection.
 *
 * <p>Immutable; read by all threads.
 *
 * @param runId four base-36 characters that mark every message of this run
 * @param seed source of all randomness of the run
 * @param part the part of the run that this program plays; null for all of it
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
   * One of several programs that share a run, each with some users of every room.
   *
   * @param number from 1
   * @param start common start of sending
   */
  public record Part(int number, int count, Instant start) {
    public static final int MOST = 64;

    public Part {
      CommandFailure.requireRange("parts of --part", count, 1, MOST);
      CommandFailure.requireRange("number of --part", number, 1, count);
    }

    /** Returns the index of this part's first user in a room of {@code size}. */
    int first(int size) {
      return (int) ((long) size * (number - 1) / count);
    }

    /** Returns the index after this part's last user. */
    int end(int size) {
      return (int) ((long) size * number / count);
    }
  }

  public Plan {
    if (!runId.matches("[0-9a-z]{4}")) {
      throw CommandFailure.usage("run id '" + runId + "' must be four characters of 0-9a-z");
    }
    boolean turns =
        connecting.poolSize() != Connecting.ALL && connecting.poolSize() < workload.users();
    if (turns && (pacing.model() == Pacing.Model.OPEN || !disturbance.equals(Disturbance.NONE))) {
      throw CommandFailure.usage(
          "--pool-size below the number of users cannot be combined with --rate, --stages,"
              + " --churn, --slow or"
              + " --reconnect");
    }
    boolean webSocketOnly =
        turns || workload.roles().mix().rejoins() || !disturbance.equals(Disturbance.NONE);
    if (connecting.http() && webSocketOnly) {
      throw CommandFailure.usage(
          "--transport=http cannot be combined with --pool-size, --mix, --churn, --slow or"
              + " --reconnect");
    }
    if (turns && workload.warmup().users() > 0) {
      throw CommandFailure.usage(
          "--pool-size below the number of users cannot be combined with --warmup=USERSxMSGS");
    }
    if (part != null && (turns || webSocketOnly || connecting.http())) {
      throw CommandFailure.usage(
          "--part cannot be combined with --pool-size, --mix, --churn, --slow, --reconnect or"
              + " --transport=http");
    }
    if (part != null && workload.extras().hasSignals()) {
      throw CommandFailure.usage("--part cannot be combined with --signals");
    }
    if (part != null && workload.roomSize() < part.count()) {
      throw CommandFailure.usage(
          "--part needs a user of every room in each part: --room-size is %d, parts are %d"
              .formatted(workload.roomSize(), part.count()));
    }
  }

  /** Creates the plan of a run with a single program. */
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
   * Returns this plan as a part of a run. All parts must have the same run id and seed. Each keeps
   * the order of every room for a later comparison.
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

  /** Returns the plan of the complete run, with a single part. */
  public Plan together() {
    Part all = new Part(1, 1, part == null ? Instant.EPOCH : part.start());
    return asPart(all, runId, seed);
  }

  /** Returns the index of the first user of each room that is played here. */
  public int firstIndex() {
    return part == null ? 0 : part.first(workload.roomSize());
  }

  /** Returns the number of users of each room that are played here, from {@link #firstIndex} on. */
  public int usersHere() {
    int size = workload.roomSize();
    return part == null ? size : part.end(size) - firstIndex();
  }

  /** Returns the number of these users with a WebSocket. */
  public int listeners() {
    return Math.min(usersHere(), workload.listeners());
  }

  /** Returns the seed of this part: with equal seeds, parts would act at the same time. */
  public long seedHere() {
    return part == null ? seed : seed + (long) Connecting.MAX_THREADS * part.number();
  }

  /**
   * Returns the number of load threads in use: a room belongs to one thread, so at most one per
   * room, or per room that a pool can fill.
   */
  public int loadThreads() {
    int threads = Math.min(connecting.threads(), workload.rooms());
    return isPooled()
        ? Math.max(1, Math.min(threads, connecting.poolSize() / workload.roomSize()))
        : threads;
  }

  /** Returns whether users take turns because not all may be connected at once. */
  public boolean isPooled() {
    return connecting.poolSize() != Connecting.ALL && connecting.poolSize() < workload.users();
  }

  /** Returns the number of simultaneous connections. */
  public int connections() {
    int listeners = workload.rooms() * listeners();
    int posting = connecting.http() ? workload.users() : 0;
    return isPooled() ? connecting.poolSize() : listeners + posting;
  }

  /** Returns the maximum number of members of a room. */
  public int mostPresent() {
    return isPooled() ? Math.min(listeners(), connections()) : listeners();
  }

  public ExpectedCounts expected() {
    return ExpectedCounts.of(workload);
  }

  /**
   * Returns whether the number of deliveries is known before the run, and all of them arrive here.
   */
  public boolean exact() {
    return part == null
        && !workload.isOpenEnded()
        && hasBarriers()
        && disturbance.equals(Disturbance.NONE);
  }

  /** Returns whether all members join before the first TEXT and leave after the last. */
  public boolean hasBarriers() {
    return !isPooled() && !workload.roles().mix().rejoins();
  }

  /**
   * Returns this plan as one step of a search: an open model at a rate, with a settling and a
   * measured time.
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
            workload.roles(),
            workload.extras());
    Pacing open = Pacing.open(rate, pacing.window(), pacing.poisson());
    return new Plan(target, step, open, connecting, judging, disturbance, stepId, seed, part);
  }

  /** Returns this plan for only the first servers. */
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
