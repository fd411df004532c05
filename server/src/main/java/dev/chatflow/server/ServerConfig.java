package dev.chatflow.server;

import dev.chatflow.broker.BrokerConfig;
import dev.chatflow.consumer.ConsumerConfig;
import dev.chatflow.room.RoomsConfig;
import dev.chatflow.room.fanout.FanOutConfig;
import dev.chatflow.server.edge.EdgeConfig;
import dev.chatflow.server.edge.SinkMode;
import dev.chatflow.server.edge.TrustedProxies;
import dev.chatflow.server.publish.PublishConfig;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * The configuration of one server, checked: composes the packages' own.
 *
 * @param identity who this server is
 * @param ports where it listens
 * @param broker where the broker is
 * @param consumer the consuming side
 * @param publish the publishing side
 * @param rooms one consumer thread's rooms
 * @param fanOut the writers
 * @param edge the connections
 * @param drain how it stops
 * @param statusInterval time between two status lines in the log, zero for none
 * @param effective every key with the value in force, secrets masked, in the order of {@link
 *     ConfigKey}
 */
public record ServerConfig(
    Identity identity,
    Ports ports,
    BrokerConfig broker,
    ConsumerConfig consumer,
    PublishConfig publish,
    RoomsConfig rooms,
    FanOutConfig fanOut,
    EdgeConfig edge,
    Drain drain,
    Duration statusInterval,
    Map<ConfigKey, String> effective) {

  /** Resent ids remembered by a server in all: two minutes of 8,000 messages/s. */
  private static final int RECENT_IDS = 1 << 20;

  private static final int MAX_ROOMS_WAITING = 4_096;
  private static final int MAX_SHARDS = 64;
  private static final Duration DAY = Duration.ofDays(1);

  /**
   * Who a server is.
   *
   * @param serverId stable over restarts
   * @param bootEpoch start time in ms since the epoch: tells two lives of one server apart
   * @param shards K
   */
  public record Identity(String serverId, long bootEpoch, int shards) {}

  /**
   * Where a server listens.
   *
   * @param http port of the container, for the launcher and for names
   * @param admin port of the admin listener, 0 for a free one
   * @param adminAddress its address
   * @param metricsPublic whether the main port serves metrics too
   */
  public record Ports(int http, int admin, String adminAddress, boolean metricsPublic) {}

  /**
   * How a server stops.
   *
   * @param delay wait after it says that it drains
   * @param timeout bound on the whole
   */
  public record Drain(Duration delay, Duration timeout) {}

  /** Reads the process's environment and system properties. */
  public static ServerConfig fromProcess() throws ConfigException {
    return of(System.getenv(), asMap(System.getProperties()), System.currentTimeMillis());
  }

  /**
   * Checks and composes.
   *
   * @param bootEpoch start time in ms since the epoch
   * @throws ConfigException naming everything that is wrong at once
   */
  static ServerConfig of(
      Map<String, String> environment, Map<String, String> properties, long bootEpoch)
      throws ConfigException {
    ConfigValues values = new ConfigValues(environment, properties);
    ServerConfig config = new Composer(values, bootEpoch).compose();
    values.throwIfWrong();
    return config;
  }

  private static Map<String, String> asMap(Properties properties) {
    Map<String, String> map = new HashMap<>();
    properties.stringPropertyNames().forEach(name -> map.put(name, properties.getProperty(name)));
    return map;
  }

  /** {@code KEY=value} lines of every key, secrets masked. */
  public String describe() {
    StringBuilder text = new StringBuilder();
    effective.forEach(
        (key, value) -> text.append(key.environmentName()).append('=').append(value).append('\n'));
    return text.toString();
  }

  /**
   * {@code --check} says whether the configuration can be used, {@code --print-effective} prints
   * it; exit status 2 when it cannot.
   */
  public static void main(String[] arguments) {
    try {
      ServerConfig config = fromProcess();
      boolean print = List.of(arguments).contains("--print-effective");
      System.out.print(print ? config.describe() : "configuration ok\n");
    } catch (ConfigException e) {
      System.err.println(e.getMessage());
      System.exit(2);
    }
  }

  /** Turns values into the packages' records, remembering what came out. */
  private static final class Composer {
    private final ConfigValues values;
    private final long bootEpoch;
    private final Map<ConfigKey, String> effective = new LinkedHashMap<>();

    Composer(ConfigValues values, long bootEpoch) {
      this.values = values;
      this.bootEpoch = bootEpoch;
      for (ConfigKey key : ConfigKey.values()) {
        effective.put(key, values.text(key));
      }
    }

    ServerConfig compose() {
      Ports ports = ports();
      int shards = values.whole(ConfigKey.SHARDS, 1, MAX_SHARDS);
      Identity identity = new Identity(serverId(ports.http()), bootEpoch, shards);
      ConsumerConfig consumer = consumer(identity);
      return new ServerConfig(
          identity,
          ports,
          broker(),
          consumer,
          publish(identity),
          rooms(shards, consumer.threads()),
          fanOut(),
          edge(),
          drain(),
          values.time(ConfigKey.STATUS_INTERVAL, Duration.ZERO, DAY),
          effective);
    }

    private Ports ports() {
      return new Ports(
          values.whole(ConfigKey.PORT, 0, 65_535),
          values.whole(ConfigKey.ADMIN_PORT, 0, 65_535),
          values.text(ConfigKey.ADMIN_ADDRESS),
          values.flag(ConfigKey.METRICS_PUBLIC));
    }

    private String serverId(int port) {
      String given = values.given(ConfigKey.SERVER_ID);
      String id = given != null ? given : hostName() + "-" + port;
      if (!id.matches("[A-Za-z0-9_-]{1,64}")) {
        values.wrong(ConfigKey.SERVER_ID, id, "1 to 64 of A-Z a-z 0-9 _ -");
      }
      effective.put(ConfigKey.SERVER_ID, id);
      return id.isEmpty() || id.indexOf('/') >= 0 ? "server" : id;
    }

    private static String hostName() {
      try {
        String name = InetAddress.getLocalHost().getHostName().replaceAll("[^A-Za-z0-9_-]", "-");
        return name.substring(0, Math.min(name.length(), 58));
      } catch (UnknownHostException _) {
        return "server";
      }
    }

    private BrokerConfig broker() {
      String text = values.text(ConfigKey.AMQP_URI);
      try {
        BrokerConfig broker = BrokerConfig.of(URI.create(text));
        effective.put(ConfigKey.AMQP_URI, broker.maskedUri());
        return broker;
      } catch (IllegalArgumentException _) {
        values.wrong(
            ConfigKey.AMQP_URI,
            text.replaceFirst("//.*@", "//***@"),
            "amqp://user:password@host:port/vhost, or amqps");
        return BrokerConfig.of(URI.create(ConfigKey.AMQP_URI.defaultText()));
      }
    }

    private ConsumerConfig consumer(Identity identity) {
      int cores = Runtime.getRuntime().availableProcessors();
      String fallback = Integer.toString(Math.min(identity.shards(), cores));
      int threads = values.whole(ConfigKey.CONSUMER_THREADS, fallback, 1, MAX_SHARDS);
      if (threads > identity.shards()) {
        values.wrong(
            ConfigKey.CONSUMER_THREADS,
            Integer.toString(threads),
            "at most the number of shards, " + identity.shards());
        threads = identity.shards();
      }
      effective.put(ConfigKey.CONSUMER_THREADS, Integer.toString(threads));
      int prefetch = values.whole(ConfigKey.PREFETCH, 1, 1_000);
      return new ConsumerConfig(
          identity.serverId(), identity.bootEpoch(), identity.shards(), threads, prefetch);
    }

    private PublishConfig publish(Identity identity) {
      return new PublishConfig(
          identity.serverId(),
          identity.bootEpoch(),
          identity.shards(),
          values.whole(ConfigKey.CHANNEL_POOL_SIZE, 1, 1_000),
          values.time(ConfigKey.LANE_PACE, Duration.ZERO, Duration.ofSeconds(1)),
          values.bytes(ConfigKey.LANE_BYTES, 128 << 10, 1 << 30),
          values.time(ConfigKey.CONFIRM_TIMEOUT, Duration.ofMillis(100), DAY));
    }

    private RoomsConfig rooms(int shards, int threads) {
      long room = values.bytes(ConfigKey.ROOM_LOG_BYTES, 128 << 10, 1 << 30);
      long share = values.bytes(ConfigKey.ROOM_LOG_TOTAL_BYTES, 1 << 20, 1L << 36) / threads;
      if (share < room) {
        values.wrong(
            ConfigKey.ROOM_LOG_TOTAL_BYTES,
            values.text(ConfigKey.ROOM_LOG_TOTAL_BYTES),
            "at least one room's log for each of %d consumer threads".formatted(threads));
      }
      return new RoomsConfig(
          shards,
          room,
          Math.max(share, room),
          (int) values.bytes(ConfigKey.MAX_LAG, 1 << 10, 1 << 30),
          sendDeadline(),
          RECENT_IDS / threads);
    }

    private FanOutConfig fanOut() {
      int cores = Runtime.getRuntime().availableProcessors();
      int writers = values.whole(ConfigKey.WRITER_THREADS, Integer.toString(cores), 1, 256);
      effective.put(ConfigKey.WRITER_THREADS, Integer.toString(writers));
      return new FanOutConfig(
          writers,
          MAX_ROOMS_WAITING,
          values.time(ConfigKey.FLUSH_PACE_MAX, Duration.ofMillis(1), Duration.ofSeconds(1)));
    }

    private EdgeConfig edge() {
      String rate = values.text(ConfigKey.RATE_LIMIT);
      return new EdgeConfig(
          values.whole(ConfigKey.SENDER_WINDOW, 1, 1_024),
          values.whole(ConfigKey.MAX_CONNECTIONS, 1, 1_000_000),
          values.whole(ConfigKey.HTTP_IN_FLIGHT, 1, 100_000),
          rate.equals("off") ? 0 : values.whole(ConfigKey.RATE_LIMIT, 1, 1_000_000),
          values.time(ConfigKey.HEARTBEAT, Duration.ofMillis(100), DAY),
          sink(),
          sendDeadline(),
          proxies());
    }

    private SinkMode sink() {
      values.oneOf(ConfigKey.SINK, List.of("auto", "portable", "direct"));
      return switch (values.text(ConfigKey.SINK)) {
        case "portable" -> SinkMode.PORTABLE;
        case "direct" -> SinkMode.DIRECT;
        default -> SinkMode.AUTO;
      };
    }

    private Duration sendDeadline() {
      return values.time(ConfigKey.SEND_DEADLINE, Duration.ofMillis(100), DAY);
    }

    private TrustedProxies proxies() {
      String text = values.text(ConfigKey.TRUSTED_PROXIES);
      try {
        return TrustedProxies.parse(text);
      } catch (IllegalArgumentException e) {
        values.wrong(
            ConfigKey.TRUSTED_PROXIES, text, "addresses or CIDR ranges: " + e.getMessage());
        return TrustedProxies.parse("");
      }
    }

    private Drain drain() {
      return new Drain(
          values.time(ConfigKey.DRAIN_DELAY, Duration.ZERO, DAY),
          values.time(ConfigKey.DRAIN_TIMEOUT, Duration.ofSeconds(1), DAY));
    }
  }
}
