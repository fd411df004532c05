package dev.chatflow.server;

import dev.chatflow.identity.AccessConfig;
import dev.chatflow.log.ReaderConfig;
import dev.chatflow.room.Past;
import dev.chatflow.room.Shard;
import dev.chatflow.support.Allowed;
import dev.chatflow.support.ConfigKey;
import java.time.Duration;
import java.util.List;

/**
 * The keys of the server's configuration with default, range and meaning.
 *
 * <p>A key is read from the system property {@code chatflow.lane.bytes}, else from the environment
 * as {@code CHATFLOW_LANE_BYTES}, else under that name from the file of {@link #CONFIG}.
 */
public enum ServerKey implements ConfigKey {
  CONFIG(
      "",
      new Allowed.Text("a file of KEY=value lines"),
      "a file with any of these keys; what the environment, a property or an option says wins"),
  PORT("8080", new Allowed.Whole(0, 65_535), "port of chat, page and API"),
  ADDRESS(
      "127.0.0.1",
      new Allowed.Text("an address of this machine"),
      "address of chat, page and API; 0.0.0.0 opens it to the network"),
  TLS_CERTIFICATE(
      "",
      new Allowed.Text("a file in PEM that can be read"),
      "certificate of chat, page and API, and those up to its authority; read again when it changes. With TLS_KEY"),
  TLS_KEY(
      "",
      new Allowed.Text("a file in PEM that can be read"),
      "private key of TLS_CERTIFICATE, for its owner alone"),
  ADMIN_PORT(
      "8081",
      new Allowed.Whole(0, 65_535),
      "port of operations page, metrics, readiness and drain; 0 takes a free one"),
  ADMIN_ADDRESS(
      "127.0.0.1", new Allowed.Text("an address of this machine"), "address of the admin listener"),
  SERVER_ID(
      "{host}-{port}",
      new Allowed.Text("1 to 64 of A-Z a-z 0-9 _ -"),
      "name of this server in frames, lanes and meters; stable over restarts"),
  AMQP_URI(
      "amqp://localhost:5672",
      new Allowed.Text(
          "amqp://user:password@host:port/vhost, or amqps; of a cluster amqp://user:password@host,host,host/vhost"),
      "the broker. The launcher starts an embedded one when this is not set"),
  AMQP_CA(
      "",
      new Allowed.Text("a file of certificates in PEM"),
      "who vouches for a broker by amqps; by default whom this system trusts"),
  SHARDS(
      Integer.toString(Shard.DEFAULT_COUNT),
      new Allowed.Whole(1, Shard.MAX_COUNT),
      "parts into which all rooms are divided; the same on every server of a cluster"),
  READER_THREADS(
      "min(SHARDS, cores, ROOM_LOG_TOTAL_BYTES / ROOM_LOG_BYTES)",
      new Allowed.Whole(1, 64),
      "threads that read the shards' logs; at most SHARDS"),
  PREFETCH(
      "64",
      new Allowed.Whole(1, ReaderConfig.MAX_PREFETCH),
      "unacknowledged entries of each shard's log"),
  CHANNEL_POOL_SIZE(
      "max(20, SHARDS)",
      new Allowed.Whole(1, 1_000),
      "channels to publish with; at most SHARDS of them are busy"),
  LANE_BYTES(
      "1MiB",
      new Allowed.Size(128 << 10, 1 << 30),
      "messages that one lane has taken and not seen come back, before its senders are paused"),
  CONFIRM_TIMEOUT(
      "30s",
      new Allowed.Time(Duration.ofMillis(100), Duration.ofDays(1)),
      "wait for a publisher confirm before the same bytes are sent again"),
  CIRCUIT_FAILURES(
      "5",
      new Allowed.Whole(1, 1_000),
      "attempts of any lanes that fail in a row before newcomers are refused, 503"),
  SENDER_WINDOW(
      "16",
      new Allowed.Whole(1, 1_024),
      "own messages of a connection under way before it is not read"),
  MAX_LAG(
      "256KiB",
      new Allowed.Size(1 << 10, 1 << 30),
      "bytes a receiver may be behind before it is not read"),
  ROOM_LOG_BYTES("4MiB", new Allowed.Size(128 << 10, 1 << 30), "log of one room"),
  ROOM_LOG_TOTAL_BYTES(
      "64MiB",
      new Allowed.Size(1 << 20, 1L << 36),
      "logs of all rooms, in direct memory; at least ROOM_LOG_BYTES for each consumer thread"),
  ROOM_TAIL_BYTES(
      "1MiB",
      new Allowed.Size(0, 1 << 30),
      "what a room keeps for those who come back or come later, within its log and at most half of it, while there is space; 0: nothing, not even for a resume. It shows what was said before a JOIN"),
  HISTORY(
      "100",
      new Allowed.Whole(0, Past.MAX_HISTORY),
      "most messages from before its JOIN that a newcomer gets, and GET of a room's messages; 0: none. It shows what was said before a JOIN"),
  PRESENCE_LIMIT(
      "200000",
      new Allowed.Whole(1_000, 10_000_000),
      "people of all rooms whom a server keeps, on whatever server they are; its own always, of others those beyond it are left out, and answers say `complete:false`"),
  QUIET_ROOM(
      "1000",
      new Allowed.WholeOr("off", new Allowed.Whole(2, 10_000_000)),
      "from so many members on, until there are a tenth fewer, JOINs and LEAVEs of a room are shown to their own connection alone, and who asked is told how many there are"),
  SEND_DEADLINE(
      "15s",
      new Allowed.Time(Duration.ofMillis(100), Duration.ofDays(1)),
      "a member whose write makes no progress for this long is closed, 4008"),
  FLUSH_PACE_MAX(
      "25ms",
      new Allowed.Time(Duration.ofMillis(1), Duration.ofSeconds(1)),
      "longest time between two rounds of a busy room"),
  WRITER_THREADS("cores", new Allowed.Whole(1, 256), "threads that run the rounds"),
  HEARTBEAT(
      "25s",
      new Allowed.Time(Duration.ofMillis(100), Duration.ofDays(1)),
      "ping to a connection without outbound traffic for this long"),
  JOIN_TIMEOUT(
      "45s",
      new Allowed.Time(Duration.ofSeconds(1), Duration.ofDays(1)),
      "a connection that is in no room for this long is closed, 4003; looked at with each heartbeat"),
  MAX_CONNECTIONS(
      "20000",
      new Allowed.Whole(1, 1_000_000),
      "connections beyond it, or beyond what the heap holds, are closed, 1013"),
  MAX_PER_ADDRESS(
      "off",
      new Allowed.WholeOr("off", new Allowed.Whole(1, 1_000_000)),
      "connections of one address (of IPv6, of its first 64 bits); beyond it 429"),
  HTTP_IN_FLIGHT(
      "1024",
      new Allowed.Whole(1, 100_000),
      "messages published over HTTP that are under way, beyond it 503"),
  RATE_LIMIT(
      "off",
      new Allowed.WholeOr("off", new Allowed.Whole(1, 1_000_000)),
      "messages per second of one connection, and requests per second of one address (of IPv6, of its first 64 bits): reads, posts and handshakes together, 16 files of the page as one; beyond it 429. As many pings and pongs; beyond it 1008"),
  SINK("auto", new Allowed.OneOf(List.of("auto", "portable", "direct")), "how frames leave"),
  METRICS_PUBLIC("false", Allowed.OneOf.FLAG, "also serve /metrics on the main port"),
  STATUS_INTERVAL(
      "10s",
      new Allowed.Time(Duration.ZERO, Duration.ofDays(1)),
      "time between two status lines in the log, silent while nothing happens; 0s: none"),
  DRAIN_DELAY(
      "0s",
      new Allowed.Time(Duration.ZERO, Duration.ofDays(1)),
      "wait after /health says DRAINING, for a balancer to notice"),
  DRAIN_TIMEOUT(
      "30s",
      new Allowed.Time(Duration.ofSeconds(1), Duration.ofDays(1)),
      "bound on the whole drain"),
  TRUSTED_PROXIES(
      "",
      new Allowed.Text("addresses or CIDR ranges, comma-separated"),
      "whose X-Forwarded-For, -Proto and -Port are believed"),
  ORIGINS(
      "same",
      new Allowed.Text("same, *, or origins such as https://app.example.com, comma-separated"),
      "pages that may talk to this server besides its own; https://*.example.com is all below it"),
  AUTH(
      "token with TOKEN_KEYS; without, none on loopback",
      AccessConfig.AUTH,
      "how users show who they are; none: anybody may be anybody"),
  TOKEN_KEYS(
      "", new Allowed.Text(AccessConfig.RULE), "whose signature makes a token good; read again"),
  USER_ID(
      "number",
      new Allowed.OneOf(List.of("number", "string")),
      "user ids that are let in: integers from 1 to 100000, or 1 to 64 of A-Z a-z 0-9 . _ : @ -. Servers of one cluster may differ"),
  DENIED_USERS(
      "",
      new Allowed.Text("a file, one user a line"),
      "who is not let in, whatever his token; read again. Needs TOKEN_KEYS");

  private final Spec spec;

  ServerKey(String defaultText, Allowed allowed, String meaning) {
    this.spec = new Spec("CHATFLOW_" + name(), defaultText, allowed, meaning);
  }

  @Override
  public Spec spec() {
    return spec;
  }
}
