package dev.chatflow.client.cli;

import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.compat.Skier;
import dev.chatflow.client.observe.Observing;
import dev.chatflow.client.observe.ServerHealth;
import dev.chatflow.client.plan.Judging;
import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.plan.Preset;
import dev.chatflow.client.plan.Workload;
import dev.chatflow.client.result.Objectives;
import dev.chatflow.client.transport.Access;
import dev.chatflow.client.transport.Tokens;
import java.security.SecureRandom;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that make a plan. Filled by picocli, then read once. */
final class RunOptions {
  @Mixin private TargetOptions targets = new TargetOptions();
  @Mixin private ObserveOptions observe = new ObserveOptions();

  @Mixin private WorkloadOptions workload = new WorkloadOptions();
  @Mixin private PacingOptions pacing = new PacingOptions();
  @Mixin private ConnectionOptions connections = new ConnectionOptions();
  @Mixin private DisturbanceOptions disturbance = new DisturbanceOptions();

  @Option(
      names = "--verify",
      defaultValue = "exactly-once",
      description =
          "off, count, exactly-once, total-order, kept-order: total-order with order.csv"
              + " (default ${DEFAULT-VALUE})")
  private Judging.Level verify = Judging.Level.EXACTLY_ONCE;

  @Option(
      names = "--drain",
      defaultValue = "30s",
      description = "give up when nothing arrived for this long (default ${DEFAULT-VALUE})")
  private Duration drain = Duration.ofSeconds(30);

  @Option(
      names = "--allow-retry-duplicates",
      description = "a second copy of a message that was sent again does not fail the run")
  private boolean allowRetryDuplicates;

  @Option(
      names = "--slo",
      paramLabel = "EXPR",
      description =
          "objective such as delivery.p99<250ms; repeatable, adds to the defaults; none clears")
  private List<String> slo = new ArrayList<>();

  @Option(names = "--seed", description = "source of all randomness (default: random, printed)")
  private @Nullable Long seed;

  /**
   * A new plan, with a run id of its own.
   *
   * @throws CommandFailure when the options allow none, or an objective names no figure
   */
  Plan plan() {
    long chosenSeed = seed == null ? new SecureRandom().nextInt(Integer.MAX_VALUE) : seed;
    Preset preset = workload.preset();
    boolean threadsAreUsers = preset.threadsAreUsers();
    boolean http = connections.http(preset.equals(Skier.PRESET));
    Workload work =
        workload.workload(pacing.length(), threadsAreUsers ? connections.threads() : 0, http);
    List<Judging.Objective> objectives = objectives();
    Objectives.requireKnown(objectives, observing());
    return new Plan(
        targets.target(work.roomSize()),
        work,
        pacing.pacing(work.users(), preset.closed()),
        connections.connecting(work.users(), threadsAreUsers, http),
        new Judging(verify, drain, allowRetryDuplicates, objectives),
        disturbance.disturbance(),
        runId(),
        chosenSeed);
  }

  /** Whether the seed was given, and not drawn. */
  boolean hasSeed() {
    return seed != null;
  }

  Observing observing() {
    return observe.observing(targets.certificates());
  }

  /** Random per run even when the seed is given: two runs must not take each other's messages. */
  static String runId() {
    Random random = new SecureRandom();
    return Integer.toString(36 * 36 * 36 + random.nextInt(35 * 36 * 36 * 36), 36);
  }

  Access access() {
    return targets.access();
  }

  /** What makes a token for each user; null when none is wanted. */
  @Nullable Tokens tokens() {
    return targets.tokens(disturbance.tokenLife());
  }

  List<ServerHealth> health(Plan plan) throws InterruptedException {
    return targets.health(plan.target());
  }

  private List<Judging.Objective> objectives() {
    List<Judging.Objective> all = new ArrayList<>(Objectives.DEFAULTS);
    if (observe.hasQueues()) {
      all.add(Objectives.parse("queue.peak<1000"));
    }
    for (String text : slo) {
      if (text.equals("none")) {
        all.clear();
      } else {
        all.add(Objectives.parse(text));
      }
    }
    return all;
  }

  /** Which part of a run of several machines is played here. Filled by picocli, then read once. */
  static final class Parts {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,2})/([0-9]{1,2})");
    private static final Duration FARTHEST = Duration.ofHours(24);

    /** Run ids have four digits of base 36, the first of which is not 0. */
    private static final int FIRST_ID = 36 * 36 * 36;

    private static final int IDS = 35 * 36 * 36 * 36;

    @Option(
        names = "--part",
        paramLabel = "K/N",
        description =
            "this program is the K-th of N that make one run: it plays its share of the users of every"
                + " room, with --verify kept-order; all else is given alike to each of them")
    private @Nullable String part;

    @Option(
        names = "--start-at",
        paramLabel = "TIME",
        description =
            "when all parts begin to send, in UTC such as 2026-11-25T14:00:00Z, within a day; it names"
                + " the run and its seed too")
    private @Nullable String startAt;

    /**
     * The plan as that part; unchanged when there is none.
     *
     * @param keepsSeed whether the plan's seed was given and is the same for all parts
     */
    public Plan applied(Plan plan, boolean keepsSeed) {
      String which = part;
      String time = startAt;
      if (which == null && time == null) {
        return plan;
      }
      if (which == null || time == null) {
        throw CommandFailure.usage("--part and --start-at need one another");
      }
      Matcher form = FORM.matcher(which);
      if (!form.matches()) {
        throw CommandFailure.usage("--part must be K/N such as 2/4, found " + which);
      }
      Instant start = start(time);
      Plan.Part own =
          new Plan.Part(Integer.parseInt(form.group(1)), Integer.parseInt(form.group(2)), start);
      long second = start.getEpochSecond();
      String runId = Integer.toString(FIRST_ID + (int) Math.floorMod(second, (long) IDS), 36);
      return plan.asPart(own, runId, keepsSeed ? plan.seed() : second);
    }

    private static Instant start(String time) {
      Instant start;
      try {
        start = Instant.parse(time);
      } catch (DateTimeException e) {
        throw CommandFailure.usage(
            "--start-at must be a time in UTC such as 2026-11-25T14:00:00Z, found " + time);
      }
      Duration ahead = Duration.between(Instant.now(), start);
      if (ahead.isNegative() || ahead.compareTo(FARTHEST) > 0) {
        throw CommandFailure.usage(
            "--start-at must be ahead, by a day at most: it is %s, found %s"
                .formatted(Instant.now(), time));
      }
      return start;
    }
  }
}
