package dev.chatflow.record;

import dev.chatflow.identity.AccessConfig;
import dev.chatflow.log.ReaderConfig;
import dev.chatflow.room.Shard;
import dev.chatflow.support.AllowedValues;
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
      new AllowedValues.Text("a file of KEY=value lines"),
      "file with any of these keys and the servers' keys; environment and options override it"),
  AMQP_URI(
      "CHATFLOW_AMQP_URI",
      "--broker",
      "amqp://localhost:5672",
      new AllowedValues.Text(
          "amqp://user:password@host:port/vhost, or amqps; of a cluster amqp://user:password@host,host,host/vhost"),
      "the servers' broker"),
  AMQP_CA(
      "CHATFLOW_AMQP_CA",
      "--broker-ca",
      "",
      new AllowedValues.Text("a file of certificates in PEM"),
      "authorities that signed the certificate of a broker by amqps [default: those of this system]"),
  SHARDS(
      "CHATFLOW_SHARDS",
      "--shards",
      Integer.toString(Shard.DEFAULT_COUNT),
      new AllowedValues.Whole(1, Shard.MAX_COUNT),
      "parts into which all rooms are divided, as on the servers"),
  PORT(
      "CHATFLOW_CONSUMER_PORT",
      "--port",
      "8082",
      new AllowedValues.Whole(0, 65_535),
      "port of health, metrics and queries; 0 uses a free one"),
  ADDRESS(
      "CHATFLOW_CONSUMER_ADDRESS",
      "--address",
      "127.0.0.1",
      new AllowedValues.Text("an address of this machine"),
      "address to listen on; 0.0.0.0 opens it to the network"),
  TLS_CERTIFICATE(
      "CHATFLOW_TLS_CERTIFICATE",
      "--tls-certificate",
      "",
      new AllowedValues.Text("a file in PEM that can be read"),
      "certificate of this port with those up to its authority; reloaded when it changes. Requires TLS_KEY"),
  TLS_KEY(
      "CHATFLOW_TLS_KEY",
      "--tls-key",
      "",
      new AllowedValues.Text("a file in PEM that can be read"),
      "private key of TLS_CERTIFICATE (PKCS#8), readable only by its owner"),
  STORE(
      "CHATFLOW_CONSUMER_STORE",
      "--store",
      "sqlite:chatflow-record.db",
      new AllowedValues.Text(
          "sqlite:PATH, jdbc:postgresql://host:port/database?user=NAME, or memory"),
      "database for messages; memory: a temporary file, deleted when the consumer ends"),
  RETENTION(
      "CHATFLOW_CONSUMER_RETENTION",
      "--retention",
      "3650d",
      new AllowedValues.Time(Duration.ofDays(2), Duration.ofDays(36_500)),
      "how long messages are kept, in whole days; counts are kept at least 400 days"),
  AUTH(
      "CHATFLOW_AUTH",
      "--auth",
      "token with TOKEN_KEYS; without, none on loopback",
      AccessConfig.AUTH,
      "how clients authenticate; none: every client may query everything"),
  TOKEN_KEYS(
      "CHATFLOW_TOKEN_KEYS",
      "--token-keys",
      "",
      new AllowedValues.Text(AccessConfig.RULE),
      "keys used to verify tokens; reloaded when they change"),
  TOKEN_ISSUER(
      "CHATFLOW_TOKEN_ISSUER",
      "--token-issuer",
      "",
      new AllowedValues.Text("a text, usually an https address"),
      "if set, the only iss that a token may have. Requires TOKEN_KEYS"),
  TOKEN_AUDIENCE(
      "CHATFLOW_TOKEN_AUDIENCE",
      "--token-audience",
      "",
      new AllowedValues.Text("a text"),
      "if set, a token must name it in aud: an identity provider signs the tokens of other applications with the same keys. Requires TOKEN_KEYS"),
  TOKEN_CLAIMS(
      "CHATFLOW_TOKEN_CLAIMS",
      "--token-claims",
      "",
      new AllowedValues.Text(AccessConfig.CLAIMS_RULE),
      "names of claims in tokens, if an identity provider uses others. Requires TOKEN_KEYS"),
  DENIED_USERS(
      "CHATFLOW_DENIED_USERS",
      "--denied-users",
      "",
      new AllowedValues.Text("a file with one user per line"),
      "users without access, even with a valid token, as on the servers; reloaded when it changes. Requires TOKEN_KEYS"),
  RATE_LIMIT(
      "CHATFLOW_RATE_LIMIT",
      "--rate-limit",
      "off",
      new AllowedValues.WholeOr("off", new AllowedValues.Whole(1, 1_000_000)),
      "maximum requests per second of one address below /api; further ones get 429. Services are exempt"),
  PREFETCH(
      "CHATFLOW_CONSUMER_PREFETCH",
      "--prefetch",
      "64",
      new AllowedValues.Whole(1, ReaderConfig.MAX_PREFETCH),
      "maximum unacknowledged AMQP messages of each log");

  private final Spec spec;
  private final String option;

  StandaloneKey(
      String environmentName,
      String option,
      String defaultText,
      AllowedValues allowed,
      String meaning) {
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
