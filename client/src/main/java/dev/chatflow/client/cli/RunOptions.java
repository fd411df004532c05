package dev.chatflow.client.cli;

import dev.chatflow.client.observe.Observing;
import dev.chatflow.client.plan.Connecting;
import dev.chatflow.client.plan.Disturbance;
import dev.chatflow.client.plan.InvalidPlan;
import dev.chatflow.client.plan.Judging;
import dev.chatflow.client.plan.Objective;
import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.plan.Preset;
import dev.chatflow.client.plan.Workload;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that make a plan. Filled by picocli, then read once. */
final class RunOptions {
  @Mixin private TargetOptions targets = new TargetOptions();
  @Mixin private ObserveOptions observe = new ObserveOptions();

  @Option(
      names = "--preset",
      defaultValue = "500k",
      description = "500k, 1m, 1.5m, 2m, 2.5m, endurance, endurance-2x (default ${DEFAULT-VALUE})")
  private String preset = "500k";

  @Option(
      names = {"-r", "--rooms"},
      description = "rooms (preset 500k: 20)")
  private @Nullable Integer rooms;

  @Option(
      names = {"-u", "--room-size"},
      description = "users per room (preset 500k: 50)")
  private @Nullable Integer roomSize;

  @Option(
      names = {"-m", "--messages"},
      description = "TEXT messages per user (preset 500k: 500); 0 connects only")
  private @Nullable Integer messages;

  @Option(
      names = "--total",
      converter = Values.CountConverter.class,
      description = "TEXT messages in all, spread over the users")
  private @Nullable Long total;

  @Option(
      names = {"-s", "--msg-size"},
      defaultValue = "0",
      description = "bytes of the text field, 40..500; 0 takes sentences")
  private int messageBytes;

  @Option(
      names = {"-d", "--duration"},
      defaultValue = "0",
      converter = Values.DurationConverter.class,
      description = "stop sending after this time")
  private Duration duration = Duration.ZERO;

  @Option(
      names = "--warmup",
      defaultValue = "0",
      converter = Values.DurationConverter.class,
      description = "messages written in this first part are verified and not recorded")
  private Duration warmup = Duration.ZERO;

  @Option(
      names = "--model",
      description = "burst, closed or open; --rate implies open, --in-flight closed")
  private @Nullable String model;

  @Option(
      names = {"-R", "--rate"},
      converter = Values.AmountConverter.class,
      description = "sends per second of the whole run")
  private @Nullable Double rate;

  @Option(
      names = {"-w", "--in-flight"},
      description = "messages without own echo, per user (closed: 1)")
  private @Nullable Integer inFlight;

  @Option(
      names = "--arrivals",
      defaultValue = "constant",
      description = "constant or poisson (default ${DEFAULT-VALUE})")
  private String arrivals = "constant";

  @Option(
      names = "--msg-frequency",
      converter = Values.DurationConverter.class,
      description = "one message per user and period, as an open schedule")
  private @Nullable Duration period;

  @Option(
      names = {"-t", "--threads"},
      description = "load threads, 1..1024 (default: cores, at most 8)")
  private @Nullable Integer threads;

  @Option(
      names = "--connect-rate",
      defaultValue = "500",
      converter = Values.AmountConverter.class,
      description = "connections per second (default ${DEFAULT-VALUE})")
  private double connectRate = 500;

  @Option(
      names = "--ramp-up",
      converter = Values.DurationConverter.class,
      description = "spread the connects over this time instead")
  private @Nullable Duration rampUp;

  @Option(
      names = "--retries",
      defaultValue = "5",
      description = "further attempts to connect (default ${DEFAULT-VALUE})")
  private int retries = 5;

  @Option(
      names = "--backoff",
      defaultValue = "50ms..2s",
      converter = Values.RangeConverter.class,
      description = "pause between attempts, doubling with jitter (default ${DEFAULT-VALUE})")
  private Values.Range backoff = new Values.Range(Duration.ofMillis(50), Duration.ofSeconds(2));

  @Option(
      names = "--timeout",
      defaultValue = "10s",
      converter = Values.DurationConverter.class,
      description =
          "bound of connect, JOIN, LEAVE and a closed-model echo (default ${DEFAULT-VALUE})")
  private Duration timeout = Duration.ofSeconds(10);

  @Option(
      names = "--verify",
      defaultValue = "exactly-once",
      description = "off, count, exactly-once, total-order (default ${DEFAULT-VALUE})")
  private String verify = "exactly-once";

  @Option(
      names = "--drain",
      defaultValue = "30s",
      converter = Values.DurationConverter.class,
      description = "give up when nothing arrived for this long (default ${DEFAULT-VALUE})")
  private Duration drain = Duration.ofSeconds(30);

  @Option(
      names = "--churn",
      paramLabel = "PCT/DUR",
      description =
          "drop PCT of the connections every DUR, reconnect and send again what was not seen")
  private @Nullable String churn;

  @Option(
      names = "--slow",
      paramLabel = "PCT@RATE",
      description = "PCT of the users read only RATE frames a second")
  private @Nullable String slow;

  @Option(
      names = "--reconnect",
      description = "open lost connections again and send again what was not seen")
  private boolean reconnect;

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

  Plan plan() {
    long chosenSeed = seed == null ? new SecureRandom().nextInt(Integer.MAX_VALUE) : seed;
    return new Plan(
        targets.target(),
        workload(),
        pacing(),
        new Connecting(
            loadThreads(), connectsPerSecond(), retries, backoff.min(), backoff.max(), timeout),
        new Judging(level(), drain, allowRetryDuplicates, objectives()),
        disturbance(),
        runId(),
        chosenSeed);
  }

  Observing observing() {
    return observe.observing();
  }

  /** Random per run even when the seed is given: two runs must not take each other's messages. */
  static String runId() {
    Random random = new SecureRandom();
    return Integer.toString(36 * 36 * 36 + random.nextInt(35 * 36 * 36 * 36), 36);
  }

  Duration patience() {
    return targets.patience();
  }

  private Workload workload() {
    Preset base = Preset.of(preset);
    int roomCount = rooms == null ? base.rooms() : rooms;
    int size = roomSize == null ? base.roomSize() : roomSize;
    if (total != null && messages != null) {
      throw new InvalidPlan("--total and --messages exclude each other");
    }
    boolean untilTime = !duration.isZero() && messages == null && total == null;
    long each =
        untilTime ? Workload.UNTIL_TIME_PER_USER : messages == null ? base.messages() : messages;
    if (each < 0) {
      throw new InvalidPlan("--messages must not be negative, found " + each);
    }
    long texts = total == null ? each * roomCount * size : total;
    return new Workload(roomCount, size, texts, messageBytes, warmup, duration);
  }

  private Pacing pacing() {
    boolean poisson = isPoisson();
    Double perSecond = rate;
    if (period != null) {
      int users = workload().users();
      perSecond = users * 1e9 / period.toNanos();
    }
    String chosen = model == null ? impliedModel(perSecond) : model.toLowerCase(Locale.ROOT);
    int window = inFlight == null ? Pacing.UNBOUNDED : inFlight;
    return switch (chosen) {
      case "burst" -> {
        if (perSecond != null || inFlight != null) {
          throw new InvalidPlan("--model burst has neither --rate nor --in-flight");
        }
        yield Pacing.burst();
      }
      case "closed" -> Pacing.closed(inFlight == null ? 1 : window);
      case "open" -> {
        if (perSecond == null) {
          throw new InvalidPlan("--model open needs --rate or --msg-frequency");
        }
        yield Pacing.open(perSecond, window, poisson);
      }
      default -> throw new InvalidPlan("--model must be burst, closed or open, found " + model);
    };
  }

  private String impliedModel(@Nullable Double perSecond) {
    return perSecond != null ? "open" : inFlight != null ? "closed" : "burst";
  }

  private boolean isPoisson() {
    return switch (arrivals) {
      case "constant" -> false;
      case "poisson" -> true;
      default -> throw new InvalidPlan("--arrivals must be constant or poisson, found " + arrivals);
    };
  }

  private Disturbance disturbance() {
    double churnShare = 0;
    Duration churnPeriod = Duration.ZERO;
    if (churn != null) {
      int slash = churn.indexOf('/');
      if (slash < 0) {
        throw new InvalidPlan("--churn must be PCT/DUR such as 10%/5s, found " + churn);
      }
      churnShare = Values.share(churn.substring(0, slash));
      churnPeriod = Values.duration(churn.substring(slash + 1));
    }
    double slowShare = 0;
    double slowRate = 0;
    if (slow != null) {
      int at = slow.indexOf('@');
      if (at < 0) {
        throw new InvalidPlan("--slow must be PCT@RATE such as 1%@10, found " + slow);
      }
      slowShare = Values.share(slow.substring(0, at));
      slowRate = Values.amount(slow.substring(at + 1));
    }
    return new Disturbance(
        churnShare, churnPeriod, slowShare, slowRate, reconnect || churnShare > 0);
  }

  private List<Objective> objectives() {
    List<Objective> all = new ArrayList<>(Objective.DEFAULTS);
    if (observe.hasBroker()) {
      all.add(Objective.parse("queue.peak<1000"));
    }
    for (String text : slo) {
      if (text.equals("none")) {
        all.clear();
      } else {
        all.add(Objective.parse(text));
      }
    }
    return all;
  }

  private double connectsPerSecond() {
    return rampUp == null ? connectRate : workload().users() * 1e9 / Math.max(1, rampUp.toNanos());
  }

  private int loadThreads() {
    return threads == null ? Math.min(Runtime.getRuntime().availableProcessors(), 8) : threads;
  }

  private Judging.Level level() {
    return switch (verify) {
      case "off" -> Judging.Level.OFF;
      case "count" -> Judging.Level.COUNT;
      case "exactly-once" -> Judging.Level.EXACTLY_ONCE;
      case "total-order" -> Judging.Level.TOTAL_ORDER;
      default ->
          throw new InvalidPlan(
              "--verify must be off, count, exactly-once or total-order, found " + verify);
    };
  }
}
