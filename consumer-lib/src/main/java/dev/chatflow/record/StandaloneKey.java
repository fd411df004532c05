package dev.chatflow.record;

import dev.chatflow.identity.AccessConfig;
import dev.chatflow.log.ReaderConfig;
import dev.chatflow.room.Shard;
import dev.chatflow.support.Allowed;
import dev.chatflow.support.ConfigKey;
import dev.chatflow.support.ConfigSource;
import java.time.Duration;
import java.util.Locale;

/** The configuration keys of the standalone consumer; each is also a command-line option. */
enum StandaloneKey implements ConfigKey {
  CONFIG(
      ConfigSource.FILE,
      "--config",
      "",
      new Allowed.Text("a file of KEY=value lines"),
      "a file with any of these keys, and the servers'; what the environment or an option says wins"),
  AMQP_URI(
      "CHATFLOW_AMQP_URI",
      "--broker",
      "amqp://localhost:5672",
      new Allowed.Text(
          "amqp://user:password@host:port/vhost, or amqps; of a cluster amqp://user:password@host,host,host/vhost"),
      "the servers' broker"),
  AMQP_CA(
      "CHATFLOW_AMQP_CA",
      "--broker-ca",
      "",
      new Allowed.Text("a file of certificates in PEM"),
      "who vouches for a broker by amqps; by default whom this system trusts"),
  SHARDS(
      "CHATFLOW_SHARDS",
      "--shards",
      Integer.toString(Shard.DEFAULT_COUNT),
      new Allowed.Whole(1, Shard.MAX_COUNT),
      "parts into which all rooms are divided, as on the servers"),
  PORT(
      "CHATFLOW_CONSUMER_PORT",
      "--port",
      "8082",
      new Allowed.Whole(0, 65_535),
      "port of health, metrics and queries; 0 takes a free one"),
  ADDRESS(
      "CHATFLOW_CONSUMER_ADDRESS",
      "--address",
      "127.0.0.1",
      new Allowed.Text("an address of this machine"),
      "address it listens on; 0.0.0.0 opens it to the network"),
  TLS_CERTIFICATE(
      "CHATFLOW_TLS_CERTIFICATE",
      "--tls-certificate",
      "",
      new Allowed.Text("a file in PEM that can be read"),
      "certificate of this port, and those up to its authority; read again when it changes. With TLS_KEY"),
  TLS_KEY(
      "CHATFLOW_TLS_KEY",
      "--tls-key",
      "",
      new Allowed.Text("a file in PEM that can be read"),
      "private key of TLS_CERTIFICATE (PKCS#8), for its owner alone"),
  STORE(
      "CHATFLOW_CONSUMER_STORE",
      "--store",
      "sqlite:chatflow-record.db",
      new Allowed.Text("sqlite:PATH, jdbc:postgresql://host:port/database?user=NAME, or memory"),
      "where messages are recorded; memory: a temporary file, deleted when the consumer ends"),
  RETENTION(
      "CHATFLOW_CONSUMER_RETENTION",
      "--retention",
      "3650d",
      new Allowed.Time(Duration.ofDays(2), Duration.ofDays(36_500)),
      "how long a store keeps messages, in whole days; counts at least 400 days"),
  AUTH(
      "CHATFLOW_AUTH",
      "--auth",
      "token with TOKEN_KEYS; without, none on loopback",
      AccessConfig.AUTH,
      "how those who ask show who they are; none: everybody may ask everything"),
  TOKEN_KEYS(
      "CHATFLOW_TOKEN_KEYS",
      "--token-keys",
      "",
      new Allowed.Text(AccessConfig.RULE),
      "whose signature makes a token good; read again"),
  DENIED_USERS(
      "CHATFLOW_DENIED_USERS",
      "--denied-users",
      "",
      new Allowed.Text("a file, one user a line"),
      "users who get no answer, even with a valid token, as on the servers; read again. Needs TOKEN_KEYS"),
  RATE_LIMIT(
      "CHATFLOW_RATE_LIMIT",
      "--rate-limit",
      "off",
      new Allowed.WholeOr("off", new Allowed.Whole(1, 1_000_000)),
      "requests per second of one address below /api; beyond it 429. Services are exempt"),
  PREFETCH(
      "CHATFLOW_CONSUMER_PREFETCH",
      "--prefetch",
      "64",
      new Allowed.Whole(1, ReaderConfig.MAX_PREFETCH),
      "unacknowledged AMQP messages of each log");

  private final Spec spec;
  private final String option;

  StandaloneKey(
      String environmentName, String option, String defaultText, Allowed allowed, String meaning) {
    this.spec = new Spec(environmentName, defaultText, allowed, meaning);
    this.option = option;
  }

  @Override
  public Spec spec() {
    return spec;
  }

  /** Returns the option, such as {@code --token-keys}. */
  String option() {
    return option;
  }

  /** Returns the name of the option's value in the help, such as {@code TOKEN_KEYS}. */
  String label() {
    return option.substring(2).replace('-', '_').toUpperCase(Locale.ROOT);
  }
}
