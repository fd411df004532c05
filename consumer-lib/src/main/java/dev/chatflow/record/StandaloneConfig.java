package dev.chatflow.record;

import dev.chatflow.broker.BrokerConfig;
import dev.chatflow.broker.Topology;
import dev.chatflow.identity.Access;
import dev.chatflow.identity.AccessConfig;
import dev.chatflow.log.ReaderConfig;
import dev.chatflow.log.WindowBounds;
import dev.chatflow.support.ConfigException;
import dev.chatflow.support.ConfigSource;
import dev.chatflow.support.ConfigValues;
import dev.chatflow.support.EffectiveValues;
import dev.chatflow.support.Secrets;
import dev.chatflow.support.Tls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The validated configuration of the standalone consumer.
 *
 * @param broker the broker
 * @param store {@link #MEMORY} or a text for {@link Store#of}; includes its password
 * @param retentionDays how long the store keeps messages
 * @param shards the cluster's number of shards
 * @param prefetch maximum unacknowledged AMQP messages of each log
 * @param listen the address of the HTTP listener
 * @param tls certificate of the listener; null for plain HTTP
 * @param access the keys of accepted tokens
 * @param effective every key with its effective value, secrets masked
 */
record StandaloneConfig(
    BrokerConfig broker,
    String store,
    int retentionDays,
    int shards,
    int prefetch,
    InetSocketAddress listen,
    @Nullable Tls tls,
    AccessConfig access,
    EffectiveValues<StandaloneKey> effective) {

  /** The store that is deleted when the consumer ends. */
  static final String MEMORY = "memory";

  private static final String PREFIX = "CHATFLOW_CONSUMER_";

  /** The one key of the servers with the same prefix. */
  private static final String SERVERS_KEY = "CHATFLOW_READER_THREADS";

  /**
   * Validates and composes the configuration.
   *
   * @throws ConfigException listing all errors at once
   */
  static StandaloneConfig of(ConfigSource source) throws ConfigException {
    ConfigValues<StandaloneKey> values =
        new ConfigValues<>(StandaloneKey.class, source, StandaloneConfig::isOwnKey);
    BrokerConfig broker = BrokerConfig.of(values, StandaloneKey.AMQP_URI, StandaloneKey.AMQP_CA);
    String store = store(values);
    int retentionDays = (int) values.time(StandaloneKey.RETENTION).toDays();
    int shards = values.whole(StandaloneKey.SHARDS);
    int prefetch = values.whole(StandaloneKey.PREFETCH);
    InetSocketAddress listen =
        new InetSocketAddress(
            values.address(StandaloneKey.ADDRESS), values.whole(StandaloneKey.PORT));
    Tls tls = Tls.of(values, StandaloneKey.TLS_CERTIFICATE, StandaloneKey.TLS_KEY);
    AccessConfig access =
        AccessConfig.of(
            values,
            new AccessConfig.Keys<>(
                StandaloneKey.ADDRESS,
                StandaloneKey.AUTH,
                StandaloneKey.TOKEN_KEYS,
                StandaloneKey.TOKEN_ISSUER,
                StandaloneKey.TOKEN_AUDIENCE,
                StandaloneKey.TOKEN_CLAIMS,
                StandaloneKey.DENIED_USERS,
                StandaloneKey.RATE_LIMIT));
    values.throwIfWrong();
    return new StandaloneConfig(
        broker, store, retentionDays, shards, prefetch, listen, tls, access, values.effective());
  }

  /** Returns the store. Error messages contain no password. */
  private static String store(ConfigValues<StandaloneKey> values) {
    String text = values.text(StandaloneKey.STORE);
    values.inForce(StandaloneKey.STORE, Secrets.masked(text));
    if (!text.equals(MEMORY)) {
      try (Store _ = Store.of(text, InstantSource.system())) {
        return text;
      } catch (IllegalArgumentException _) {
        values.wrong(
            StandaloneKey.STORE, Secrets.masked(text), StandaloneKey.STORE.allowed().words());
      }
    }
    return MEMORY;
  }

  /**
   * Returns the unconnected archive for a command to query or change.
   *
   * @param given the option; empty to use the environment
   * @throws ConfigException if there is none
   */
  static Store record(String given) throws ConfigException {
    String key = StandaloneKey.STORE.environmentName();
    Map<String, String> options = given.isEmpty() ? Map.of() : Map.of(key, given);
    String text = of(ConfigSource.ofProcess(options)).store();
    if (text.equals(MEMORY)) {
      throw new ConfigException(
          List.of(
              "no archive is given: set --store sqlite:PATH, or " + key + " in the environment"));
    }
    return Store.of(text, InstantSource.system());
  }

  /**
   * Reads all files and addresses of this configuration with the code that a start uses.
   *
   * @throws ConfigException naming the first one that cannot be used, and why
   */
  void requireUsable() throws ConfigException {
    try {
      if (tls != null) {
        tls.requireUsable();
      }
      Access.of(access, "check-").close();
    } catch (IOException e) {
      throw new ConfigException(List.of(String.valueOf(e.getMessage())));
    }
  }

  boolean isTemporary() {
    return store.equals(MEMORY);
  }

  /** Returns the bounds of the log readers. */
  ReaderConfig readers() {
    return new ReaderConfig(
        shards,
        prefetch,
        WindowBounds.STREAM,
        WindowBounds.RING,
        Topology.RING_BYTES,
        Topology.RING_ENTRIES,
        ReaderConfig.LINGER);
  }

  private static boolean isOwnKey(String name) {
    return name.startsWith(PREFIX) && !name.equals(SERVERS_KEY);
  }
}
