package dev.chatflow.standalone;

import dev.chatflow.broker.BrokerConfig;
import dev.chatflow.config.ConfigException;
import dev.chatflow.config.ConfigValues;
import dev.chatflow.config.Effective;
import dev.chatflow.config.Source;
import dev.chatflow.consumer.ConsumerConfig;
import dev.chatflow.standalone.record.Records;
import java.net.InetSocketAddress;

/**
 * The configuration of the standalone consumer, checked.
 *
 * @param broker where the broker is
 * @param consumer the reading side; server id and boot play no part
 * @param bounds how much the records of one thread may hold
 * @param listen where HTTP listens
 * @param effective every key with the value in force, secrets masked
 */
record StandaloneConfig(
    BrokerConfig broker,
    ConsumerConfig consumer,
    Records.Bounds bounds,
    InetSocketAddress listen,
    Effective<StandaloneKey> effective) {

  private static final String PREFIX = "CHATFLOW_CONSUMER_";

  /** The servers' own key of that prefix. */
  private static final String SERVERS_KEY = "CHATFLOW_CONSUMER_THREADS";

  /**
   * Checks and composes.
   *
   * @throws ConfigException naming everything that is wrong at once
   */
  static StandaloneConfig of(Source source) throws ConfigException {
    ConfigValues<StandaloneKey> values =
        new ConfigValues<>(StandaloneKey.class, source, StandaloneConfig::isOurs);
    BrokerConfig broker = BrokerConfig.of(values, StandaloneKey.AMQP_URI);
    int shards = values.whole(StandaloneKey.SHARDS);
    int queues = values.whole(StandaloneKey.QUEUES);
    if (queues > shards) {
      values.wrong(
          StandaloneKey.QUEUES,
          Integer.toString(queues),
          "at most " + StandaloneKey.SHARDS.environmentName() + ", " + shards);
      queues = shards;
    }
    ConsumerConfig consumer =
        new ConsumerConfig("standalone", 0, shards, queues, values.whole(StandaloneKey.PREFETCH));
    Records.Bounds bounds =
        new Records.Bounds(
            values.bytes(StandaloneKey.RECORD_BYTES) / queues,
            values.bytes(StandaloneKey.ROOM_BYTES),
            Math.max(1, values.whole(StandaloneKey.SENDERS) / queues));
    InetSocketAddress listen =
        new InetSocketAddress(
            values.address(StandaloneKey.ADDRESS), values.whole(StandaloneKey.PORT));
    values.throwIfWrong();
    return new StandaloneConfig(broker, consumer, bounds, listen, values.effective());
  }

  private static boolean isOurs(String name) {
    return name.startsWith(PREFIX) && !name.equals(SERVERS_KEY);
  }
}
