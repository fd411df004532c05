package dev.chatflow.server;

import java.util.Locale;

/**
 * Every key of the server's configuration with its default: the one place that names them.
 *
 * <p>A key is read from the system property {@code chatflow.lane.pace}, else from the environment
 * as {@code CHATFLOW_LANE_PACE}. Times carry a unit ({@code 5ms}, {@code 30s}, {@code 2m}), sizes
 * too ({@code 256KiB}, {@code 4MiB}, or plain bytes).
 */
public enum ConfigKey {
  PORT("8080", "port of chat, page and API"),
  ADDRESS("127.0.0.1", "address of chat, page and API; 0.0.0.0 opens it to the network"),
  ADMIN_PORT("8081", "port of metrics, readiness and drain; 0 takes a free one"),
  ADMIN_ADDRESS("127.0.0.1", "address of the admin listener"),
  SERVER_ID(
      "{host}-{port}", "name of this server in frames, queues and meters; stable over restarts"),
  AMQP_URI(
      "amqp://localhost:5672",
      "the broker; amqps is accepted. The launcher starts an embedded one when this is not set"),
  SHARDS("4", "parts into which all rooms are divided; the same on every server of a cluster"),
  CONSUMER_THREADS("min(SHARDS, cores)", "threads that take deliveries, each with a channel"),
  PREFETCH("64", "unacknowledged AMQP messages per channel, 1 to 1000"),
  CHANNEL_POOL_SIZE("20", "channels to publish with; at most SHARDS of them are busy"),
  LANE_PACE(
      "5ms", "least time between two flights of a lane; 10ms suits four servers without affinity"),
  LANE_BYTES("16MiB", "messages waiting in one lane before its senders are paused"),
  CONFIRM_TIMEOUT("30s", "wait for a publisher confirm before the same bytes are sent again"),
  SENDER_WINDOW("16", "own messages of a connection under way before it is not read"),
  MAX_LAG("256KiB", "bytes a receiver may be behind before it is not read"),
  ROOM_LOG_BYTES("4MiB", "log of one room"),
  ROOM_LOG_TOTAL_BYTES("64MiB", "logs of all rooms, in direct memory"),
  SEND_DEADLINE("15s", "a member whose write makes no progress for this long is closed, 4008"),
  FLUSH_PACE_MAX("25ms", "longest time between two rounds of a busy room"),
  WRITER_THREADS("cores", "threads that run the rounds"),
  HEARTBEAT("25s", "ping to a connection without outbound traffic for this long"),
  MAX_CONNECTIONS("20000", "connections beyond it are closed, 1013"),
  HTTP_IN_FLIGHT("1024", "messages published over HTTP that are under way, beyond it 503"),
  RATE_LIMIT(
      "off", "TEXT messages per second of one connection, over HTTP of one address; beyond it 429"),
  SINK("auto", "how frames leave: auto, portable or direct"),
  METRICS_PUBLIC("false", "also serve /metrics on the main port"),
  STATUS_INTERVAL(
      "10s", "time between two status lines in the log, silent while nothing happens; 0s: none"),
  DRAIN_DELAY("0s", "wait after /health says DRAINING, for a balancer to notice"),
  DRAIN_TIMEOUT("30s", "bound on the whole drain"),
  TRUSTED_PROXIES(
      "", "addresses or CIDR ranges whose X-Forwarded-For is believed, comma-separated");

  private static final String ENVIRONMENT_PREFIX = "CHATFLOW_";

  private final String defaultText;
  private final String meaning;

  ConfigKey(String defaultText, String meaning) {
    this.defaultText = defaultText;
    this.meaning = meaning;
  }

  /** The default as documented; some are worked out at start. */
  public String defaultText() {
    return defaultText;
  }

  public String meaning() {
    return meaning;
  }

  /** Such as {@code CHATFLOW_LANE_PACE}. */
  public String environmentName() {
    return ENVIRONMENT_PREFIX + name();
  }

  /** Such as {@code chatflow.lane.pace}. */
  public String propertyName() {
    return environmentName().toLowerCase(Locale.ROOT).replace('_', '.');
  }
}
