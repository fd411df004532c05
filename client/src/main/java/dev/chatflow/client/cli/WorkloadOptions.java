package dev.chatflow.client.cli;

import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.compat.ChatFlowCs6650;
import dev.chatflow.client.compat.Skier;
import dev.chatflow.client.plan.Extras;
import dev.chatflow.client.plan.Mix;
import dev.chatflow.client.plan.Preset;
import dev.chatflow.client.plan.Roles;
import dev.chatflow.client.plan.Warmup;
import dev.chatflow.client.plan.Wave;
import dev.chatflow.client.plan.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options for rooms, users and messages. Filled by picocli, then read once. */
final class WorkloadOptions {
  private static final Pattern MIX =
      Pattern.compile("T=([0-9.]+)%?,J=([0-9.]+)%?,L=([0-9.]+)%?", Pattern.CASE_INSENSITIVE);
  private static final List<Preset> PRESETS =
      Stream.concat(Preset.SIZES.stream(), Stream.of(ChatFlowCs6650.PRESET, Skier.PRESET)).toList();
  private static final Pattern USERS_BY_MESSAGES = Pattern.compile("([0-9]{1,7})x([0-9]{1,7})");

  @Option(
      names = "--preset",
      paramLabel = "NAME",
      defaultValue = "500k",
      description =
          "workload to start from: 500k, 1m, 1.5m, 2m, 2.5m, endurance, endurance-2x,"
              + " warmup-a1, skier-3phase [default:"
              + " ${DEFAULT-VALUE}]")
  private Preset preset = Preset.SIZES.getFirst();

  @Option(
      names = {"-r", "--rooms"},
      paramLabel = "N",
      description = "number of rooms [preset 500k: 20]")
  private @Nullable Integer rooms;

  @Option(
      names = {"-u", "--room-size"},
      paramLabel = "N",
      description = "users per room [preset 500k: 50]")
  private @Nullable Integer roomSize;

  @Option(
      names = {"-m", "--messages"},
      paramLabel = "N",
      description = "messages per user; 0 only connects [preset 500k: 500]")
  private @Nullable Integer messages;

  @Option(
      names = "--total",
      paramLabel = "N",
      converter = Values.CountConverter.class,
      description = "total messages, spread over the users")
  private @Nullable Long total;

  @Option(
      names = {"-s", "--msg-size"},
      paramLabel = "BYTES",
      defaultValue = "0",
      description = "bytes of a text, 40..500; 0 = random sentences")
  private int messageBytes;

  @Option(
      names = {"-d", "--duration"},
      paramLabel = "DUR",
      defaultValue = "0",
      description = "stop sending after this time")
  private Duration duration = Duration.ZERO;

  @Option(
      names = "--warmup",
      paramLabel = "USERSxMSGS|DUR",
      description =
          "unrecorded, but verified start: MSGS messages of each of USERS users, or all"
              + " messages of this time")
  private @Nullable String warmup;

  @Option(
      names = "--mix",
      paramLabel = "T=90,J=5,L=5",
      description =
          "shares of message types; each LEAVE is followed by a JOIN [default: one JOIN and one"
              + " LEAVE per user]")
  private @Nullable String mix;

  @Option(
      names = "--zipf",
      paramLabel = "EXP[,EXP]",
      defaultValue = "0",
      description =
          "hot rooms: room k gets a share of 1/k^EXP of the messages; after the comma: the same"
              + " for users in a room")
  private String zipf = "0";

  @Option(
      names = "--signals",
      paramLabel = "RATE",
      defaultValue = "0",
      description =
          "signals per second of each room, which its members send by turns; a server accepts 10"
              + " per second from each")
  private double signals;

  @Option(
      names = "--devices",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "devices of each user, 1..8: N members of a room are connections of one user"
              + " [default: ${DEFAULT-VALUE}]")
  private int devices;

  @Option(
      names = "--data-size",
      paramLabel = "BYTES",
      defaultValue = "0",
      description = "bytes of the JSON data in each text, 10..2000; 0 = no data")
  private int dataBytes;

  @Option(names = "--numSkiers", hidden = true, description = "ids of preset skier-3phase")
  private int skiers = Skier.SKIERS;

  @Option(names = "--numRuns", hidden = true, description = "runs of preset skier-3phase")
  private int runs = Skier.RUNS;

  @Option(
      names = "--load-test",
      hidden = true,
      description = "accepted for compatibility with scale-chat's client")
  boolean loadTest;

  Preset preset() {
    return preset;
  }

  static Preset preset(String label) {
    return PRESETS.stream()
        .filter(one -> one.label().equals(label.toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(() -> {
          String all = PRESETS.stream().map(Preset::label).collect(Collectors.joining(", "));
          return new TypeConversionException("'" + label + "' must be one of " + all);
        });
  }

  /**
   * * Returns the workload. *
   *
   * @param schedule length of the stages; zero without stages
   * @param concurrent number of concurrent users if threads count users; else 0
   * @param http whether users may post without listening
   */
  Workload workload(Duration schedule, int concurrent, boolean http) {
    Preset base = preset;
    if (base.equals(Skier.PRESET)) {
      return skier(concurrent == 0 ? Skier.USERS : concurrent, http);
    }
    boolean threads = base.threadsAreUsers() && concurrent > 0;
    int roomCount =
        rooms != null ? rooms : threads ? divisor(concurrent, base.rooms()) : base.rooms();
    int size =
        roomSize != null
            ? roomSize
            : threads ? Math.ceilDiv(concurrent, roomCount) : base.roomSize();
    int senders = http ? Math.max(1, size) : size;
    Duration time = duration(schedule);
    Mix shares = mix();
    long texts = shares.textsOf(messages(base, roomCount, senders, time));
    int listeners = http && roomSize != null ? roomSize : Roles.EVERYBODY;
    Roles roles = roles(listeners, shares);
    return new Workload(
        roomCount,
        senders,
        texts,
        messageBytes,
        warmup(roomCount * senders),
        time,
        roles,
        extras());
  }

  private Workload skier(int users, boolean http) {
    boolean sized = total != null || messages != null || !duration.isZero();
    if (sized || mix != null || warmup != null || !http) {
      throw CommandFailure.usage(
          "--preset=skier-3phase cannot be combined with --messages, --total, --duration,"
              + " --mix, --warmup or --transport=nio");
    }
    List<Wave> waves = Skier.waves(users, skiers, runs);
    int roomCount = rooms == null ? preset.rooms() : rooms;
    int listeners = roomSize == null ? 0 : roomSize;
    int senders = waves.stream().mapToInt(Wave::users).sum();
    int size = Math.max(listeners, Math.ceilDiv(senders, roomCount));
    long texts = waves.stream().mapToLong(wave -> (long) wave.users() * wave.textsEach()).sum();
    return new Workload(
        roomCount,
        size,
        texts,
        messageBytes,
        warmup(roomCount * size),
        Duration.ZERO,
        new Roles(listeners, Mix.TEXTS_ONLY, 0, 0, waves),
        extras());
  }

  private Extras extras() {
    return new Extras(signals, devices, dataBytes);
  }

  private Duration duration(Duration schedule) {
    if (!schedule.isZero() && !duration.isZero()) {
      throw CommandFailure.usage("--stages and --duration cannot be combined");
    }
    return schedule.isZero() ? duration : schedule;
  }

  private long messages(Preset base, int roomCount, int size, Duration time) {
    if (total != null && messages != null) {
      throw CommandFailure.usage("--total and --messages cannot be combined");
    }
    if (total != null) {
      return total;
    }
    long each = messages == null ? base.messages() : messages;
    if (each < 0) {
      throw CommandFailure.usage("--messages must not be negative, found " + each);
    }
    if (messages == null && !time.isZero()) {
      each = Workload.UNTIL_TIME_PER_USER;
    } else if (messages == null && base.total() > 0) {
      return base.total();
    }
    return each * roomCount * size;
  }

  /** Returns the largest number of rooms, up to {@code most}, over which users spread evenly. */
  private static int divisor(int users, int most) {
    int rooms = Math.min(users, most);
    while (users % rooms != 0) {
      rooms--;
    }
    return rooms;
  }

  private Warmup warmup(int users) {
    if (warmup == null) {
      Warmup base = preset.warmup();
      return new Warmup(base.time(), Math.min(users, base.users()), base.messages());
    }
    Matcher form = USERS_BY_MESSAGES.matcher(warmup);
    return form.matches()
        ? new Warmup(
            Duration.ZERO, Integer.parseInt(form.group(1)), Integer.parseInt(form.group(2)))
        : Warmup.of(Values.duration(warmup));
  }

  private Roles roles(int listeners, Mix shares) {
    String[] exponents = zipf.split(",", 2);
    try {
      double ofRooms = Double.parseDouble(exponents[0]);
      double ofUsers = exponents.length == 1 ? 0 : Double.parseDouble(exponents[1]);
      return new Roles(listeners, shares, ofRooms, ofUsers, List.of());
    } catch (NumberFormatException e) {
      throw CommandFailure.usage(
          "--zipf must be one exponent or two, such as 1 or 1,0.8, found " + zipf);
    }
  }

  private Mix mix() {
    if (mix == null) {
      return preset.mix();
    }
    Matcher form = MIX.matcher(mix);
    if (!form.matches()) {
      throw CommandFailure.usage(
          "--mix must be T=PCT,J=PCT,L=PCT such as T=90,J=5,L=5, found " + mix);
    }
    return new Mix(
        Double.parseDouble(form.group(1)),
        Double.parseDouble(form.group(2)),
        Double.parseDouble(form.group(3)));
  }
}
