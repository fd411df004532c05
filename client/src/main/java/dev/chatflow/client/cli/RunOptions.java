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

/** The options that define a plan. Filled by picocli, then read once. */
final class RunOptions {
  @Mixin private TargetOptions targets = new TargetOptions();
  @Mixin private ObserveOptions observe = new ObserveOptions();

  @Mixin private WorkloadOptions workload = new WorkloadOptions();
  @Mixin private PacingOptions pacing = new PacingOptions();
  @Mixin private ConnectionOptions connections = new ConnectionOptions();
  @Mixin private DisturbanceOptions disturbance = new DisturbanceOptions();

  @Option(
      names = "--verify",
      paramLabel = "LEVEL",
      defaultValue = "exactly-once",
      description =
          "off, count, exactly-once, total-order, or kept-order: total-order that also writes"
              + " order.csv [default: ${DEFAULT-VALUE}]")
  private Judging.Level verify = Judging.Level.EXACTLY_ONCE;

  @Option(
      names = "--drain",
      paramLabel = "DUR",
      defaultValue = "30s",
      description = "end after this time without arrivals [default: ${DEFAULT-VALUE}]")
  private Duration drain = Duration.ofSeconds(30);

  @Option(
      names = "--allow-retry-duplicates",
      description = "accept second copies of messages that were sent again")
  private boolean allowRetryDuplicates;

  @Option(
      names = "--slo",
      paramLabel = "EXPR",
      description =
          "objective such as delivery.p99<250ms, in addition to the defaults; none clears them;"
              + " repeatable")
  private List<String> slo = new ArrayList<>();

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "seed of all randomness [default: random, printed]")
  private @Nullable Long seed;

  /**
   * Creates a plan with a new run id.
   *
   * @throws CommandFailure if options conflict or an objective names no figure
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

  /** Returns whether the seed was given. */
  boolean hasSeed() {
    return seed != null;
  }

  Observing observing() {
    return observe.observing(targets.certificates());
  }

  /**
   * Returns a random id, also with a given seed: two runs must not accept each other's messages.
   */
  static String runId() {
    Random random = new SecureRandom();
    return Integer.toString(36 * 36 * 36 + random.nextInt(35 * 36 * 36 * 36), 36);
  }

  Access access() {
    return targets.access();
  }

  /** Returns the maker of a token for each user; null without tokens. */
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

  /**
   * The options for one of several machines that share a run. Filled by picocli, then read once.
   */
  static final class Parts {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,2})/([0-9]{1,2})");
    private static final Duration FARTHEST = Duration.ofHours(24);

    /** The first id: run ids have four digits of base 36, the first of which is not 0. */
    private static final int FIRST_ID = 36 * 36 * 36;

    private static final int IDS = 35 * 36 * 36 * 36;

    @Option(
        names = "--part",
        paramLabel = "K/N",
        description =
            "run part K of N of one run: its share of the users of every room, with --verify"
                + " kept-order. Give all other options equally to each part")
    private @Nullable String part;

    @Option(
        names = "--start-at",
        paramLabel = "TIME",
        description =
            "common start of all parts, in UTC such as 2026-11-25T14:00:00Z, within a day;"
                + " determines run id and seed")
    private @Nullable String startAt;

    /**
     * Returns the plan of this part; unchanged without parts.
     *
     * @param keepsSeed whether the seed was given and is equal for all parts
     */
    public Plan applied(Plan plan, boolean keepsSeed) {
      String which = part;
      String time = startAt;
      if (which == null && time == null) {
        return plan;
      }
      if (which == null || time == null) {
        throw CommandFailure.usage("--part and --start-at must be given together");
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
            "--start-at must be within a day from now, %s, found %s"
                .formatted(Instant.now(), time));
      }
      return start;
    }
  }
}
