package dev.chatflow.consumer.audit;

import dev.chatflow.broker.BrokerConfig;
import dev.chatflow.consumer.ConsumerConfig;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The configuration of the standalone consumer, checked.
 *
 * @param broker where the broker is
 * @param consumer the reading side
 * @param bounds how much the records of one thread may hold
 * @param listen where HTTP listens
 * @param effective every key with the value in force, secrets masked
 */
record AuditConfig(
    BrokerConfig broker,
    ConsumerConfig consumer,
    Records.Bounds bounds,
    InetSocketAddress listen,
    Map<AuditKey, String> effective) {

  private static final String ENVIRONMENT_PREFIX = "CHATFLOW_CONSUMER_";

  /** The servers' own key of that prefix. */
  private static final String SERVERS_KEY = "CHATFLOW_CONSUMER_THREADS";

  private static final int MAX_SHARDS = 64;
  private static final long MIN_BYTES = 1 << 16;
  private static final long MAX_BYTES = 1L << 36;
  private static final int MAX_SENDERS = 10_000_000;

  /**
   * Checks and composes.
   *
   * @param options by their names, such as {@code --port}
   * @throws AuditConfigException naming everything that is wrong at once
   */
  static AuditConfig of(
      Map<String, String> options, Map<String, String> properties, Map<String, String> environment)
      throws AuditConfigException {
    return new Composer(options, properties, environment).compose();
  }

  /** {@code KEY=value} lines of every key, secrets masked. */
  String describe() {
    StringBuilder text = new StringBuilder();
    effective.forEach(
        (key, value) -> text.append(key.environmentName()).append('=').append(value).append('\n'));
    return text.toString();
  }

  /** Turns texts into values; collects what is wrong instead of stopping at the first. */
  private static final class Composer {
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,12}) ?([A-Za-z]*)");
    private static final Map<String, Long> UNITS =
        Map.of("", 1L, "b", 1L, "kib", 1L << 10, "mib", 1L << 20, "gib", 1L << 30);

    private final Map<AuditKey, String> texts = new EnumMap<>(AuditKey.class);
    private final List<String> problems = new ArrayList<>();

    Composer(
        Map<String, String> options,
        Map<String, String> properties,
        Map<String, String> environment) {
      for (AuditKey key : AuditKey.values()) {
        String given = environment.getOrDefault(key.environmentName(), key.defaultText());
        given = properties.getOrDefault(key.propertyName(), given);
        texts.put(key, options.getOrDefault(key.option(), given).strip());
      }
      environment.keySet().stream().sorted().forEach(this::refuseUnknown);
      properties.keySet().stream()
          .map(name -> name.toUpperCase(Locale.ROOT).replace('.', '_'))
          .sorted()
          .forEach(this::refuseUnknown);
    }

    private void refuseUnknown(String name) {
      if (!name.startsWith(ENVIRONMENT_PREFIX) || name.equals(SERVERS_KEY)) {
        return;
      }
      List<String> known =
          List.of(AuditKey.values()).stream().map(AuditKey::environmentName).toList();
      if (!known.contains(name)) {
        problems.add("unknown key " + name + " (known: " + String.join(", ", known) + ")");
      }
    }

    AuditConfig compose() throws AuditConfigException {
      BrokerConfig broker = broker();
      int shards = whole(AuditKey.SHARDS, 1, MAX_SHARDS);
      int queues = whole(AuditKey.QUEUES, 1, shards);
      int prefetch = whole(AuditKey.PREFETCH, 1, ConsumerConfig.MAX_PREFETCH);
      Records.Bounds bounds =
          new Records.Bounds(
              bytes(AuditKey.RECORD_BYTES) / queues,
              bytes(AuditKey.ROOM_BYTES),
              Math.max(1, whole(AuditKey.SENDERS, 1, MAX_SENDERS) / queues));
      InetSocketAddress listen = listen();
      if (!problems.isEmpty()) {
        throw new AuditConfigException(String.join("; ", problems));
      }
      return new AuditConfig(
          broker, new ConsumerConfig("audit", 0, shards, queues, prefetch), bounds, listen, texts);
    }

    private BrokerConfig broker() {
      String text = text(AuditKey.AMQP_URI);
      try {
        BrokerConfig broker = BrokerConfig.of(URI.create(text));
        texts.put(AuditKey.AMQP_URI, broker.maskedUri());
        return broker;
      } catch (IllegalArgumentException e) {
        texts.put(AuditKey.AMQP_URI, "***");
        problems.add(
            AuditKey.AMQP_URI.environmentName() + " is not amqp://user:password@host:port");
        return BrokerConfig.of(URI.create(AuditKey.AMQP_URI.defaultText()));
      }
    }

    private InetSocketAddress listen() {
      int port = whole(AuditKey.PORT, 0, 65_535);
      String address = text(AuditKey.ADDRESS);
      try {
        return new InetSocketAddress(InetAddress.getByName(address), port);
      } catch (UnknownHostException _) {
        wrong(AuditKey.ADDRESS, "an address of this machine");
        return new InetSocketAddress(port);
      }
    }

    private String text(AuditKey key) {
      return texts.getOrDefault(key, key.defaultText());
    }

    private int whole(AuditKey key, int least, int most) {
      try {
        int value = Integer.parseInt(text(key));
        if (value >= least && value <= most) {
          return value;
        }
      } catch (NumberFormatException _) {
        // Reported below.
      }
      wrong(key, "a whole number from " + least + " to " + most);
      return least;
    }

    private long bytes(AuditKey key) {
      Matcher match = SIZE.matcher(text(key));
      Long unit = match.matches() ? UNITS.get(match.group(2).toLowerCase(Locale.ROOT)) : null;
      if (unit != null) {
        long value = Long.parseLong(match.group(1)) * unit;
        if (value >= MIN_BYTES && value <= MAX_BYTES) {
          return value;
        }
      }
      wrong(
          key, "a size from " + MIN_BYTES + " to " + MAX_BYTES + " bytes, such as 256KiB or 4MiB");
      return MIN_BYTES;
    }

    private void wrong(AuditKey key, String allowed) {
      problems.add(key.environmentName() + "=" + text(key) + " is not " + allowed);
    }
  }
}
