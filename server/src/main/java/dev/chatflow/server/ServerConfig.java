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
import dev.chatflow.support.Effective;
import dev.chatflow.support.Tls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of one server, checked: composes the packages' own.
 *
 * @param identity who this server is
 * @param ports where it listens
 * @param broker where the broker is
 * @param logs how shard logs are read and written
 * @param delivery what rooms keep, and how it reaches their members
 * @param edge the connections
 * @param drain how it stops
 * @param statusInterval time between two status lines in the log, zero for none
 * @param effective every key with the value in force, secrets masked
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
    Effective<ServerKey> effective) {

  /** Keys of other programs that share the prefix. */
  private static final List<String> FOREIGN =
      List.of("CHATFLOW_CLIENT_", "CHATFLOW_CONSUMER_", "CHATFLOW_TF_", "CHATFLOW_TEST_");

  /**
   * Who a server is.
   *
   * @param serverId stable over restarts
   * @param bootEpoch start time in ms since the epoch: tells two lives of one server apart
   * @param shards K
   */
  public record Identity(String serverId, long bootEpoch, int shards) {}

  /**
   * Where a server listens.
   *
   * @param http port of the container, for the launcher and for names
   * @param admin where the admin listener is bound; port 0 for a free one
   * @param metricsPublic whether the main port serves metrics too
   * @param tls certificate and key of the main port, null without TLS
   */
  public record Ports(
      int http, InetSocketAddress admin, boolean metricsPublic, @Nullable Tls tls) {}

  /**
   * How shard logs are read and written.
   *
   * @param readerThreads that step the readers
   */
  public record Logs(ReaderConfig readers, int readerThreads, PublishConfig publish) {}

  /**
   * What rooms keep, and how it reaches their members.
   *
   * @param rooms one reader thread's rooms
   * @param fanOut the writers
   * @param presence of all rooms that are kept, on any server
   * @param quietRoom from this many members on, JOINs and LEAVEs are shown to no other member
   */
  public record Delivery(RoomsConfig rooms, FanOutConfig fanOut, int presence, int quietRoom) {}

  /**
   * How a server stops.
   *
   * @param delay wait after it says that it drains
   * @param timeout bound on the whole
   */
  public record Drain(Duration delay, Duration timeout) {}

  /** A file of all keys to start from. */
  public static String template() {
    return ConfigKey.template(List.of(ServerKey.values()));
  }

  /** Reads what this process was given. */
  public static ServerConfig fromProcess() throws ConfigException {
    return of(
        ConfigSource.ofProcess(Map.of()),
        System.currentTimeMillis(),
        Runtime.getRuntime().availableProcessors());
  }

  /**
   * Checks and composes.
   *
   * @param bootEpoch start time in ms since the epoch
   * @param cores of this machine, by which some defaults go
   * @throws ConfigException naming everything that is wrong at once
   */
  static ServerConfig of(ConfigSource source, long bootEpoch, int cores) throws ConfigException {
    ConfigValues<ServerKey> values =
        new ConfigValues<>(ServerKey.class, source, ServerConfig::isOurs);
    ServerConfig config = new ConfigComposer(values, bootEpoch, cores).compose();
    values.throwIfWrong();
    return config;
  }

  /**
   * Reads the files and addresses that this configuration names, by the code of a start.
   *
   * @throws IOException naming the first that cannot be used, and why
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
   * {@code --check} says whether the configuration can be used, {@code --print-effective} prints
   * it; exit status 2 when it cannot.
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
