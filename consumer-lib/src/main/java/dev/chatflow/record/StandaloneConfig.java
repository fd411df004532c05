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
import dev.chatflow.support.Effective;
import dev.chatflow.support.Secrets;
import dev.chatflow.support.Tls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of the standalone consumer, checked.
 *
 * @param broker where the broker is
 * @param store {@link #MEMORY} or what {@link Store#of} takes; with its password
 * @param retentionDays how long the store keeps messages
 * @param shards of the cluster
 * @param prefetch unacknowledged AMQP messages of each log
 * @param listen where HTTP listens
 * @param tls by which it is asked; null for plain HTTP
 * @param access whose tokens are good
 * @param effective every key with the value in force, secrets masked
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
    Effective<StandaloneKey> effective) {

  /** The store that is deleted when the consumer ends. */
  static final String MEMORY = "memory";

  private static final String PREFIX = "CHATFLOW_CONSUMER_";

  /** The servers' own key of that prefix. */
  private static final String SERVERS_KEY = "CHATFLOW_READER_THREADS";

  /**
   * Checks and composes.
   *
   * @throws ConfigException naming everything that is wrong at once
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
            StandaloneKey.ADDRESS,
            StandaloneKey.AUTH,
            StandaloneKey.TOKEN_KEYS,
            StandaloneKey.DENIED_USERS,
            StandaloneKey.RATE_LIMIT);
    values.throwIfWrong();
    return new StandaloneConfig(
        broker, store, retentionDays, shards, prefetch, listen, tls, access, values.effective());
  }

  /** Its password is shown nowhere. */
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
   * The record that a command is to ask or change, not connected.
   *
   * @param given as an option; empty for that of the environment
   * @throws ConfigException when there is none
   */
  static Store record(String given) throws ConfigException {
    String key = StandaloneKey.STORE.environmentName();
    Map<String, String> options = given.isEmpty() ? Map.of() : Map.of(key, given);
    String text = of(ConfigSource.ofProcess(options)).store();
    if (text.equals(MEMORY)) {
      throw new ConfigException(
          List.of("no record is named: --store sqlite:PATH, or " + key + " in the environment"));
    }
    return Store.of(text, InstantSource.system());
  }

  /**
   * Reads the files and addresses that this configuration names, by the code of a start.
   *
   * @throws ConfigException naming the first that cannot be used, and why
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

  /** How the shards' logs are read. */
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
