package dev.chatflow.client.cli.option;

import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.compat.SkierWorkload;
import dev.chatflow.client.observe.Observing;
import dev.chatflow.client.observe.page.ServerHealth;
import dev.chatflow.client.plan.Judging;
import dev.chatflow.client.plan.Objective;
import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.plan.Preset;
import dev.chatflow.client.plan.Workload;
import dev.chatflow.client.result.Objectives;
import dev.chatflow.client.token.Tokens;
import dev.chatflow.client.transport.Access;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that make a plan. Filled by picocli, then read once. */
public final class RunOptions {
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
  public Plan plan() {
    long chosenSeed = seed == null ? new SecureRandom().nextInt(Integer.MAX_VALUE) : seed;
    Preset preset = workload.preset();
    boolean threadsAreUsers = preset.threadsAreUsers();
    boolean http = connections.http(preset.equals(SkierWorkload.PRESET));
    Workload work =
        workload.workload(pacing.length(), threadsAreUsers ? connections.threads() : 0, http);
    List<Objective> objectives = objectives();
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
  public boolean hasSeed() {
    return seed != null;
  }

  public Observing observing() {
    return observe.observing(targets.certificates());
  }

  /** Random per run even when the seed is given: two runs must not take each other's messages. */
  public static String runId() {
    Random random = new SecureRandom();
    return Integer.toString(36 * 36 * 36 + random.nextInt(35 * 36 * 36 * 36), 36);
  }

  public Access access() {
    return targets.access();
  }

  /** What makes a token for each user; null when none is wanted. */
  public @Nullable Tokens tokens() {
    return targets.tokens(disturbance.tokenLife());
  }

  public List<ServerHealth> health(Plan plan) throws InterruptedException {
    return targets.health(plan.target());
  }

  private List<Objective> objectives() {
    List<Objective> all = new ArrayList<>(Objectives.DEFAULTS);
    if (observe.hasBroker()) {
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
}
