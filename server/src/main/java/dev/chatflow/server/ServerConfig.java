package dev.chatflow.server;

import dev.chatflow.broker.BrokerConfig;
import dev.chatflow.broker.Topology;
import dev.chatflow.delivery.QuietRooms;
import dev.chatflow.identity.Access;
import dev.chatflow.identity.AccessConfig;
import dev.chatflow.log.ReaderConfig;
import dev.chatflow.log.WindowBounds;
import dev.chatflow.message.UserIds;
import dev.chatflow.room.FanOutConfig;
import dev.chatflow.room.RoomsConfig;
import dev.chatflow.server.edge.EdgeConfig;
import dev.chatflow.server.edge.Origins;
import dev.chatflow.server.edge.TrustedProxies;
import dev.chatflow.server.publish.PublishConfig;
import dev.chatflow.server.sink.tomcat.SinkMode;
import dev.chatflow.support.Allowed;
import dev.chatflow.support.ConfigException;
import dev.chatflow.support.ConfigValues;
import dev.chatflow.support.Effective;
import dev.chatflow.support.Key;
import dev.chatflow.support.Source;
import dev.chatflow.support.Tls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of one server, checked: composes the packages' own.
 *
 * @param identity who this server is
 * @param ports where it listens
 * @param tls its certificate and key, null without TLS
 * @param broker where the broker is
 * @param readers of the shards' logs
 * @param readerThreads that step them
 * @param publish the publishing side
 * @param rooms one reader thread's rooms
 * @param fanOut the writers
 * @param people of all rooms that are kept, on whatever server they are
 * @param quietRoom from so many members on who comes and goes is told to nobody else
 * @param edge the connections
 * @param drain how it stops
 * @param statusInterval time between two status lines in the log, zero for none
 * @param effective every key with the value in force, secrets masked
 */
public record ServerConfig(
    Identity identity,
    Ports ports,
    @Nullable Tls tls,
    BrokerConfig broker,
    ReaderConfig readers,
    int readerThreads,
    PublishConfig publish,
    RoomsConfig rooms,
    FanOutConfig fanOut,
    int people,
    int quietRoom,
    EdgeConfig edge,
    Drain drain,
    Duration statusInterval,
    Effective<ServerKey> effective) {

  private static final int MAX_ROOMS_WAITING = 4_096;

  /** More channels make everything slower: each is a process in the broker. */
  private static final int MIN_POOL_SIZE = 20;

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
   */
  public record Ports(int http, InetSocketAddress admin, boolean metricsPublic) {}

  /**
   * How a server stops.
   *
   * @param delay wait after it says that it drains
   * @param timeout bound on the whole
   */
  public record Drain(Duration delay, Duration timeout) {}

  /** A file of all keys to start from. */
  public static String template() {
    return Key.template(List.of(ServerKey.values()));
  }

  /** Reads what this process was given. */
  public static ServerConfig fromProcess() throws ConfigException {
    return of(
        Source.ofProcess(Map.of()),
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
  static ServerConfig of(Source source, long bootEpoch, int cores) throws ConfigException {
    ConfigValues<ServerKey> values =
        new ConfigValues<>(ServerKey.class, source, ServerConfig::isOurs);
    ServerConfig config = new Composer(values, bootEpoch, cores).compose();
    values.throwIfWrong();
    return config;
  }

  /**
   * Reads the files and addresses that this configuration names, by the code of a start.
   *
   * @throws IOException naming the first that cannot be used, and why
   */
  public void requireUsable() throws IOException {
    if (tls != null) {
      tls.requireUsable();
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

  /** Turns values into the packages' records. */
  private record Composer(ConfigValues<ServerKey> values, long bootEpoch, int cores) {

    ServerConfig compose() {
      Ports ports =
          new Ports(
              values.whole(ServerKey.PORT),
              new InetSocketAddress(
                  values.address(ServerKey.ADMIN_ADDRESS), values.whole(ServerKey.ADMIN_PORT)),
              values.flag(ServerKey.METRICS_PUBLIC));
      int shards = values.whole(ServerKey.SHARDS);
      Identity identity = new Identity(serverId(ports.http()), bootEpoch, shards);
      long roomBytes = values.bytes(ServerKey.ROOM_LOG_BYTES);
      long totalBytes = values.bytes(ServerKey.ROOM_LOG_TOTAL_BYTES);
      int threads = readerThreads(identity, (int) Math.max(1, totalBytes / roomBytes));
      return new ServerConfig(
          identity,
          ports,
          Tls.of(values, ServerKey.TLS_CERTIFICATE, ServerKey.TLS_KEY),
          BrokerConfig.of(values, ServerKey.AMQP_URI, ServerKey.AMQP_CA),
          readers(identity),
          threads,
          publish(identity),
          rooms(identity, roomBytes, share(roomBytes, totalBytes, threads)),
          fanOut(),
          values.whole(ServerKey.PEOPLE),
          values.wholeOr(ServerKey.QUIET_ROOM, QuietRooms.OFF),
          edge(),
          new Drain(values.time(ServerKey.DRAIN_DELAY), values.time(ServerKey.DRAIN_TIMEOUT)),
          values.time(ServerKey.STATUS_INTERVAL),
          values.effective());
    }

    private String serverId(int port) {
      String given = values.given(ServerKey.SERVER_ID);
      String id = given != null ? given : hostName() + "-" + port;
      if (!id.matches("[A-Za-z0-9_-]{1,64}")) {
        values.wrong(ServerKey.SERVER_ID, id, ServerKey.SERVER_ID.allowed().words());
      }
      values.inForce(ServerKey.SERVER_ID, id);
      return id.isEmpty() || id.indexOf('/') >= 0 ? "server" : id;
    }

    private static String hostName() {
      try {
        String name = InetAddress.getLocalHost().getHostName().replaceAll("[^A-Za-z0-9_-]", "-");
        return name.substring(0, Math.min(name.length(), 58));
      } catch (UnknownHostException _) {
        return "server";
      }
    }

    /** By itself it takes no more threads than the logs have space for. */
    private int readerThreads(Identity identity, int logs) {
      int usual = Math.min(identity.shards(), Math.min(cores, logs));
      int threads = values.whole(ServerKey.CONSUMER_THREADS, Integer.toString(usual));
      if (threads > identity.shards()) {
        String most = "at most the number of shards, " + identity.shards();
        values.wrong(ServerKey.CONSUMER_THREADS, Integer.toString(threads), most);
        threads = identity.shards();
      }
      return threads;
    }

    private ReaderConfig readers(Identity identity) {
      return new ReaderConfig(
          identity.shards(),
          values.whole(ServerKey.PREFETCH),
          WindowBounds.STREAM,
          WindowBounds.RING,
          Topology.RING_BYTES,
          Topology.RING_ENTRIES,
          ReaderConfig.LINGER);
    }

    private PublishConfig publish(Identity identity) {
      String usual = Integer.toString(Math.max(MIN_POOL_SIZE, identity.shards()));
      return new PublishConfig(
          identity.serverId(),
          identity.bootEpoch(),
          identity.shards(),
          values.whole(ServerKey.CHANNEL_POOL_SIZE, usual),
          values.bytes(ServerKey.LANE_BYTES),
          values.time(ServerKey.CONFIRM_TIMEOUT),
          values.whole(ServerKey.CIRCUIT_FAILURES));
    }

    /** One thread's part of the logs' bytes: at least one room's log. */
    private long share(long roomBytes, long totalBytes, int threads) {
      if (totalBytes / threads < roomBytes) {
        values.wrong(
            ServerKey.ROOM_LOG_TOTAL_BYTES,
            values.text(ServerKey.ROOM_LOG_TOTAL_BYTES),
            "enough: %d consumer threads need one room's log each, %s; or set %s=%d"
                .formatted(
                    threads,
                    Allowed.Size.shown(threads * roomBytes),
                    ServerKey.CONSUMER_THREADS.environmentName(),
                    Math.max(1, totalBytes / roomBytes)));
      }
      return Math.max(totalBytes / threads, roomBytes);
    }

    private RoomsConfig rooms(Identity identity, long roomBytes, long shareBytes) {
      return new RoomsConfig(
          identity.shards(),
          roomBytes,
          shareBytes,
          values.bytes(ServerKey.ROOM_TAIL_BYTES),
          (int) values.bytes(ServerKey.MAX_LAG),
          values.time(ServerKey.SEND_DEADLINE));
    }

    private FanOutConfig fanOut() {
      int writers = values.whole(ServerKey.WRITER_THREADS, Integer.toString(cores));
      return new FanOutConfig(writers, MAX_ROOMS_WAITING, values.time(ServerKey.FLUSH_PACE_MAX));
    }

    private EdgeConfig edge() {
      return new EdgeConfig(
          values.whole(ServerKey.SENDER_WINDOW),
          values.whole(ServerKey.MAX_CONNECTIONS),
          values.wholeOr(ServerKey.MAX_PER_ADDRESS, 0),
          values.whole(ServerKey.HTTP_IN_FLIGHT),
          values.whole(ServerKey.HISTORY),
          values.wholeOr(ServerKey.RATE_LIMIT, 0),
          values.time(ServerKey.HEARTBEAT),
          values.time(ServerKey.JOIN_TIMEOUT),
          SinkMode.valueOf(values.oneOf(ServerKey.SINK).toUpperCase(Locale.ROOT)),
          values.time(ServerKey.SEND_DEADLINE),
          proxies(),
          origins(),
          access(),
          UserIds.valueOf(values.oneOf(ServerKey.USER_ID).toUpperCase(Locale.ROOT)));
    }

    /**
     * Whoever is bound to loopback serves this machine alone, but where somebody has named a proxy
     * or decided who is let in.
     */
    private Origins origins() {
      boolean local =
          values.address(ServerKey.ADDRESS).isLoopbackAddress()
              && values.given(ServerKey.AUTH) == null
              && values.text(ServerKey.TOKEN_KEYS).isEmpty();
      String text = values.text(ServerKey.ORIGINS);
      try {
        return Origins.parse(text, local);
      } catch (IllegalArgumentException e) {
        String allowed = ServerKey.ORIGINS.allowed().words();
        values.wrong(ServerKey.ORIGINS, text, allowed + ": " + e.getMessage());
        return Origins.OWN;
      }
    }

    private AccessConfig access() {
      return AccessConfig.of(
          values,
          ServerKey.ADDRESS,
          ServerKey.AUTH,
          ServerKey.TOKEN_KEYS,
          ServerKey.DENIED_USERS,
          ServerKey.RATE_LIMIT);
    }

    private TrustedProxies proxies() {
      String text = values.text(ServerKey.TRUSTED_PROXIES);
      try {
        return TrustedProxies.parse(text);
      } catch (IllegalArgumentException e) {
        String allowed = ServerKey.TRUSTED_PROXIES.allowed().words();
        values.wrong(ServerKey.TRUSTED_PROXIES, text, allowed + ": " + e.getMessage());
        return TrustedProxies.parse("");
      }
    }
  }
}
