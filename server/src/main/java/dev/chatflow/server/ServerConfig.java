package dev.chatflow.server;

import dev.chatflow.broker.BrokerConfig;
import dev.chatflow.identity.Access;
import dev.chatflow.log.ReaderConfig;
import dev.chatflow.room.FanOutConfig;
import dev.chatflow.room.RoomsConfig;
import dev.chatflow.server.edge.EdgeConfig;
import dev.chatflow.server.publish.PublishConfig;
import dev.chatflow.support.ConfigException;
import dev.chatflow.support.ConfigKey;
import dev.chatflow.support.ConfigSource;
import dev.chatflow.support.ConfigValues;
import dev.chatflow.support.EffectiveValues;
import dev.chatflow.support.Tls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The validated configuration of one server, composed of the packages' configurations.
 *
 * @param identity the server
 * @param ports the listeners
 * @param broker the broker
 * @param logs how shard logs are read and written
 * @param delivery bounds of rooms and of sending to their members
 * @param edge the connections
 * @param drain how it stops
 * @param statusInterval time between two status lines in the log, zero for none
 * @param effective every key with its effective value, secrets masked
 */
public record ServerConfig(
    Identity identity,
    Ports ports,
    BrokerConfig broker,
    Logs logs,
    Delivery delivery,
    EdgeConfig edge,
    Drain drain,
    Duration statusInterval,
    EffectiveValues<ServerKey> effective) {

  /** Prefixes of the keys of other programs. */
  private static final List<String> FOREIGN =
      List.of("CHATFLOW_CLIENT_", "CHATFLOW_CONSUMER_", "CHATFLOW_TF_", "CHATFLOW_TEST_");

  /**
   * The identity of a server.
   *
   * @param serverId stable over restarts
   * @param bootEpoch start time in ms since the epoch, which distinguishes boots of one server
   * @param shards K
   */
  public record Identity(String serverId, long bootEpoch, int shards) {}

  /**
   * The listeners of a server.
   *
   * @param http port of the container, for the launcher and for names
   * @param admin address of the admin listener; port 0 for a free one
   * @param metricsPublic whether the main port serves metrics too
   * @param tls certificate and key of the main port, null without TLS
   */
  public record Ports(
      int http, InetSocketAddress admin, boolean metricsPublic, @Nullable Tls tls) {}

  /**
   * How shard logs are read and written.
   *
   * @param readerThreads threads that step the readers
   */
  public record Logs(ReaderConfig readers, int readerThreads, PublishConfig publish) {}

  /**
   * Bounds of rooms and of sending to their members.
   *
   * @param rooms the rooms of one reader thread
   * @param fanOut the writers
   * @param presence maximum members of all rooms on all servers
   * @param quietRoom number of members from which JOINs and LEAVEs are shown to no other member
   */
  public record Delivery(RoomsConfig rooms, FanOutConfig fanOut, int presence, int quietRoom) {}

  /**
   * How a server stops.
   *
   * @param delay wait after it reports that it drains
   * @param timeout maximum time of the whole drain
   */
  public record Drain(Duration delay, Duration timeout) {}

  /** Returns a configuration file as a template for all keys. */
  public static String template() {
    return ConfigKey.template(List.of(ServerKey.values()));
  }

  /** Reads the configuration of this process. */
  public static ServerConfig fromProcess() throws ConfigException {
    return of(
        ConfigSource.ofProcess(Map.of()),
        System.currentTimeMillis(),
        Runtime.getRuntime().availableProcessors());
  }

  /**
   * Validates and composes.
   *
   * @param bootEpoch start time in ms since the epoch
   * @param cores number of cores, which some defaults depend on
   * @throws ConfigException listing all errors at once
   */
  static ServerConfig of(ConfigSource source, long bootEpoch, int cores) throws ConfigException {
    ConfigValues<ServerKey> values =
        new ConfigValues<>(ServerKey.class, source, ServerConfig::isOurs);
    ServerConfig config = new ConfigComposer(values, bootEpoch, cores).compose();
    values.throwIfWrong();
    return config;
  }

  /**
   * Reads all files and addresses of this configuration with the code that a start uses.
   *
   * @throws IOException naming the first one that cannot be used, and why
   */
  public void requireUsable() throws IOException {
    if (ports.tls() != null) {
      ports.tls().requireUsable();
    }
    Access.of(edge.access(), "check-").close();
  }

  private static boolean isOurs(String name) {
    return name.startsWith("CHATFLOW_") && FOREIGN.stream().noneMatch(name::startsWith);
  }

  /**
   * {@code --check} reports whether the configuration is valid, {@code --print-effective} prints
   * it; exit status 2 if it is invalid.
   */
  public static void main(String[] arguments) {
    try {
      ServerConfig config = fromProcess();
      boolean print = List.of(arguments).contains("--print-effective");
      if (!print) {
        config.requireUsable();
      }
      System.out.print(print ? config.effective().describe() : "configuration ok\n");
    } catch (ConfigException | IOException e) {
      System.err.println(e.getMessage());
      System.exit(2);
    }
  }
}
