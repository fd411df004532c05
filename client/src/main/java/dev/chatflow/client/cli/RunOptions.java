package dev.chatflow.client.cli;

import dev.chatflow.client.plan.Connecting;
import dev.chatflow.client.plan.InvalidPlan;
import dev.chatflow.client.plan.Judging;
import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.plan.Preset;
import dev.chatflow.client.plan.Target;
import dev.chatflow.client.plan.Workload;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options that make a plan. Filled by picocli, then read once. */
final class RunOptions {
  private static final String DEFAULT_URL = "ws://localhost:8080/chat";

  @Parameters(
      paramLabel = "URL",
      arity = "0..*",
      description = "servers; several share the users in turn; {room} stands for the room id")
  private List<String> urls = new ArrayList<>();

  @Option(names = "--server-url", paramLabel = "URL", description = "same as the parameter URL")
  private List<String> serverUrls = new ArrayList<>();

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
      description = "off, count, exactly-once (default ${DEFAULT-VALUE})")
  private String verify = "exactly-once";

  @Option(
      names = "--drain",
      defaultValue = "30s",
      converter = Values.DurationConverter.class,
      description = "give up when nothing arrived for this long (default ${DEFAULT-VALUE})")
  private Duration drain = Duration.ofSeconds(30);

  @Option(names = "--seed", description = "source of all randomness (default: random, printed)")
  private @Nullable Long seed;

  Plan plan() {
    long chosenSeed = seed == null ? new SecureRandom().nextInt(Integer.MAX_VALUE) : seed;
    return new Plan(
        target(),
        workload(),
        pacing(),
        new Connecting(loadThreads(), connectRate, retries, backoff.min(), backoff.max(), timeout),
        new Judging(level(), drain),
        runId(),
        chosenSeed);
  }

  /** Random per run even when the seed is given: two runs must not take each other's messages. */
  private static String runId() {
    Random random = new SecureRandom();
    return Integer.toString(36 * 36 * 36 + random.nextInt(35 * 36 * 36 * 36), 36);
  }

  private Target target() {
    List<String> all = new ArrayList<>(urls);
    all.addAll(serverUrls);
    return new Target(all.isEmpty() ? List.of(DEFAULT_URL) : all);
  }

  private Workload workload() {
    Preset base = Preset.of(preset);
    int roomCount = rooms == null ? base.rooms() : rooms;
    int size = roomSize == null ? base.roomSize() : roomSize;
    if (total != null && messages != null) {
      throw new InvalidPlan("--total and --messages exclude each other");
    }
    boolean untilTime = !duration.isZero() && messages == null && total == null;
    long each = untilTime ? 10_000_000 : messages == null ? base.messages() : messages;
    if (each < 0) {
      throw new InvalidPlan("--messages must not be negative, found " + each);
    }
    long texts = total == null ? each * roomCount * size : total;
    return new Workload(roomCount, size, texts, messageBytes, duration);
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

  private int loadThreads() {
    return threads == null ? Math.min(Runtime.getRuntime().availableProcessors(), 8) : threads;
  }

  private Judging.Level level() {
    return switch (verify) {
      case "off" -> Judging.Level.OFF;
      case "count" -> Judging.Level.COUNT;
      case "exactly-once" -> Judging.Level.EXACTLY_ONCE;
      default ->
          throw new InvalidPlan("--verify must be off, count or exactly-once, found " + verify);
    };
  }
}
