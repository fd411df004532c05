package dev.chatflow.server;

import dev.chatflow.identity.AccessConfig;
import dev.chatflow.log.ReaderConfig;
import dev.chatflow.message.ClientRules;
import dev.chatflow.room.Past;
import dev.chatflow.room.Shard;
import dev.chatflow.support.AllowedValues;
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
      new AllowedValues.Text("a file of KEY=value lines"),
      "file with any of these keys; environment, properties and options override it"),
  PORT("8080", new AllowedValues.Whole(0, 65_535), "port of chat, page and API"),
  ADDRESS(
      "127.0.0.1",
      new AllowedValues.Text("an address of this machine"),
      "address of chat, page and API; 0.0.0.0 opens it to the network"),
  TLS_CERTIFICATE(
      "",
      new AllowedValues.Text("a file in PEM that can be read"),
      "certificate of chat, page and API with those up to its authority; reloaded when it changes. Requires TLS_KEY"),
  TLS_KEY(
      "",
      new AllowedValues.Text("a file in PEM that can be read"),
      "private key of TLS_CERTIFICATE, readable only by its owner"),
  ADMIN_PORT(
      "8081",
      new AllowedValues.Whole(0, 65_535),
      "port of operations page, metrics, readiness and drain; 0 uses a free one"),
  ADMIN_ADDRESS(
      "127.0.0.1",
      new AllowedValues.Text("an address of this machine"),
      "address of the admin listener"),
  SERVER_ID(
      "{host}-{port}",
      new AllowedValues.Text("1 to 64 of A-Z a-z 0-9 _ -"),
      "name of this server in frames, lanes and meters; stable over restarts"),
  AMQP_URI(
      "amqp://localhost:5672",
      new AllowedValues.Text(
          "amqp://user:password@host:port/vhost, or amqps; of a cluster amqp://user:password@host,host,host/vhost"),
      "the broker. Without it the launcher starts an embedded one"),
  AMQP_CA(
      "",
      new AllowedValues.Text("a file of certificates in PEM"),
      "authorities that signed the certificate of a broker by amqps [default: those of this system]"),
  SHARDS(
      Integer.toString(Shard.DEFAULT_COUNT),
      new AllowedValues.Whole(1, Shard.MAX_COUNT),
      "parts into which all rooms are divided; the same on every server of a cluster"),
  READER_THREADS(
      "min(SHARDS, cores, ROOM_LOG_TOTAL_BYTES / ROOM_LOG_BYTES)",
      new AllowedValues.Whole(1, 64),
      "threads that read the shards' logs; at most SHARDS"),
  PREFETCH(
      "64",
      new AllowedValues.Whole(1, ReaderConfig.MAX_PREFETCH),
      "unacknowledged entries of each shard's log"),
  CHANNEL_POOL_SIZE(
      "max(20, SHARDS)",
      new AllowedValues.Whole(1, 1_000),
      "channels for publishing; at most SHARDS of them are in use"),
  LANE_BYTES(
      "1MiB",
      new AllowedValues.Size(128 << 10, 1 << 30),
      "messages accepted by one lane and not read back, before its senders are paused"),
  CONFIRM_TIMEOUT(
      "30s",
      new AllowedValues.Time(Duration.ofMillis(100), Duration.ofDays(1)),
      "wait for a publisher confirm before the same bytes are sent again"),
  CIRCUIT_FAILURES(
      "5",
      new AllowedValues.Whole(1, 1_000),
      "consecutive failed attempts of all lanes before JOINs and posts are rejected with 503"),
  SENDER_WINDOW(
      "16",
      new AllowedValues.Whole(1, 1_024),
      "maximum messages of a connection in flight; then it is not read"),
  MAX_LAG(
      "256KiB",
      new AllowedValues.Size(1 << 10, 1 << 30),
      "maximum bytes a connection may be behind as a receiver; then it is not read"),
  ROOM_LOG_BYTES("4MiB", new AllowedValues.Size(128 << 10, 1 << 30), "maximum log of one room"),
  ROOM_LOG_TOTAL_BYTES(
      "64MiB",
      new AllowedValues.Size(1 << 20, 1L << 36),
      "maximum logs of all rooms, in direct memory; at least ROOM_LOG_BYTES per reader thread"),
  ROOM_TAIL_BYTES(
      "1MiB",
      new AllowedValues.Size(0, 1 << 30),
      "history that a room keeps for resumes and new members while there is space, at most half of its log; 0: none, not even for a resume. It shows messages from before a JOIN"),
  HISTORY(
      "100",
      new AllowedValues.Whole(0, Past.MAX_HISTORY),
      "maximum earlier messages for a new member, and for GET of a room's messages; 0: none. It shows messages from before a JOIN"),
  PRESENCE_LIMIT(
      "200000",
      new AllowedValues.Whole(1_000, 10_000_000),
      "maximum members of all rooms, on all servers, that a server keeps, each with up to 2 KB of data; its own members are always kept. Others beyond it are omitted, and answers have `complete:false`"),
  QUIET_ROOM(
      "1000",
      new AllowedValues.WholeOr("off", new AllowedValues.Whole(2, 10_000_000)),
      "number of members from which JOINs and LEAVEs of a room are shown only to their own connection, until it has a tenth fewer; members who requested the list get the count"),
  SEND_DEADLINE(
      "15s",
      new AllowedValues.Time(Duration.ofMillis(100), Duration.ofDays(1)),
      "a member whose write makes no progress for this long is closed with 4008"),
  FLUSH_PACE_MAX(
      "25ms",
      new AllowedValues.Time(Duration.ofMillis(1), Duration.ofSeconds(1)),
      "longest time between two rounds of a busy room"),
  WRITER_THREADS("cores", new AllowedValues.Whole(1, 256), "threads that run the rounds"),
  HEARTBEAT(
      "25s",
      new AllowedValues.Time(Duration.ofMillis(100), Duration.ofDays(1)),
      "a connection without outbound traffic for this long gets a ping"),
  JOIN_TIMEOUT(
      "45s",
      new AllowedValues.Time(Duration.ofSeconds(1), Duration.ofDays(1)),
      "a connection that is in no room for this long is closed with 4003; checked with each heartbeat"),
  MAX_CONNECTIONS(
      "20000",
      new AllowedValues.Whole(1, 1_000_000),
      "maximum connections, or fewer if the heap holds fewer; further ones are closed with 1013"),
  MAX_PER_ADDRESS(
      "off",
      new AllowedValues.WholeOr("off", new AllowedValues.Whole(1, 1_000_000)),
      "maximum connections of one address (for IPv6, of its first 64 bits); further ones get 429"),
  HTTP_IN_FLIGHT(
      "1024", new AllowedValues.Whole(1, 100_000), "maximum posts in flight; further ones get 503"),
  RATE_LIMIT(
      "off",
      new AllowedValues.WholeOr("off", new AllowedValues.Whole(1, 1_000_000)),
      "maximum messages per second of one connection, and requests per second of one address (for IPv6, of its first 64 bits): reads, posts and handshakes together, 16 files of the page as one; further ones get 429. The same limit for pings and pongs; beyond it 1008"),
  SINK(
      "auto",
      new AllowedValues.OneOf(List.of("auto", "portable", "direct")),
      "how frames are sent"),
  METRICS_PUBLIC("false", AllowedValues.OneOf.FLAG, "also serve /metrics on the main port"),
  STATUS_INTERVAL(
      "10s",
      new AllowedValues.Time(Duration.ZERO, Duration.ofDays(1)),
      "interval of status lines in the log; none while nothing happens; 0s: never"),
  DRAIN_DELAY(
      "0s",
      new AllowedValues.Time(Duration.ZERO, Duration.ofDays(1)),
      "wait after /health shows DRAINING, so that a balancer notices"),
  DRAIN_TIMEOUT(
      "30s",
      new AllowedValues.Time(Duration.ofSeconds(1), Duration.ofDays(1)),
      "maximum time of the whole drain"),
  TRUSTED_PROXIES(
      "",
      new AllowedValues.Text("addresses or CIDR ranges, comma-separated"),
      "proxies whose X-Forwarded-For, -Proto and -Port are trusted"),
  ORIGINS(
      "same",
      new AllowedValues.Text(
          "same, *, or origins such as https://app.example.com, comma-separated"),
      "pages that may use this server in addition to its own; https://*.example.com allows all subdomains"),
  AUTH(
      "token with TOKEN_KEYS; without, none on loopback",
      AccessConfig.AUTH,
      "how users authenticate; none: clients may use any user id"),
  TOKEN_KEYS(
      "",
      new AllowedValues.Text(AccessConfig.RULE),
      "keys used to verify tokens; reloaded when they change"),
  TOKEN_ISSUER(
      "",
      new AllowedValues.Text("a text, usually an https address"),
      "if set, the only iss that a token may have. Requires TOKEN_KEYS"),
  TOKEN_AUDIENCE(
      "",
      new AllowedValues.Text("a text"),
      "if set, a token must name it in aud: an identity provider signs the tokens of other applications with the same keys. Requires TOKEN_KEYS"),
  TOKEN_CLAIMS(
      "",
      new AllowedValues.Text(AccessConfig.CLAIMS_RULE),
      "names of claims in tokens, if an identity provider uses others. Requires TOKEN_KEYS"),
  USER_ID(
      "number",
      new AllowedValues.OneOf(List.of("number", "string")),
      "accepted user ids: integers from 1 to 100000, or 1 to 64 of A-Z a-z 0-9 . _ : @ | -. Servers of one cluster may differ"),
  MAX_TEXT(
      Integer.toString(ClientRules.DEFAULT_TEXT),
      new AllowedValues.Whole(ClientRules.DEFAULT_TEXT, ClientRules.MAX_TEXT),
      "maximum characters of a text; servers of one cluster may differ"),
  DENIED_USERS(
      "",
      new AllowedValues.Text("a file with one user per line"),
      "users without access, even with a valid token; reloaded when it changes. Requires TOKEN_KEYS");

  private final Spec spec;

  ServerKey(String defaultText, AllowedValues allowed, String meaning) {
    this.spec = new Spec("CHATFLOW_" + name(), defaultText, allowed, meaning);
  }

  @Override
  public Spec spec() {
    return spec;
  }
}
