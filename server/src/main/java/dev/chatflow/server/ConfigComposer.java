package dev.chatflow.server;

import dev.chatflow.broker.BrokerConfig;
import dev.chatflow.broker.Topology;
import dev.chatflow.delivery.QuietRooms;
import dev.chatflow.log.ReaderConfig;
import dev.chatflow.log.WindowBounds;
import dev.chatflow.room.FanOutConfig;
import dev.chatflow.room.RoomsConfig;
import dev.chatflow.server.ServerConfig.Identity;
import dev.chatflow.server.publish.PublishConfig;
import dev.chatflow.support.AllowedValues;
import dev.chatflow.support.ConfigValues;
import dev.chatflow.support.Tls;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/**
 * Composes the configuration of a server from the values of the keys.
 *
 * @param bootEpoch start time in ms since the epoch
 * @param cores number of cores of this machine, which some defaults depend on
 */
record ConfigComposer(ConfigValues<ServerKey> values, long bootEpoch, int cores) {

  private static final int MAX_ROOMS_WAITING = 4_096;

  /** More channels are slower: each is a process in the broker. */
  private static final int MIN_POOL_SIZE = 20;

  ServerConfig compose() {
    ServerConfig.Ports ports = ports();
    int shards = values.whole(ServerKey.SHARDS);
    Identity identity = new Identity(serverId(ports.http()), bootEpoch, shards);
    long roomBytes = values.bytes(ServerKey.ROOM_LOG_BYTES);
    long totalBytes = values.bytes(ServerKey.ROOM_LOG_TOTAL_BYTES);
    int threads = readerThreads(identity, (int) Math.max(1, totalBytes / roomBytes));
    RoomsConfig rooms = rooms(identity, roomBytes, share(roomBytes, totalBytes, threads));
    return new ServerConfig(
        identity,
        ports,
        BrokerConfig.of(values, ServerKey.AMQP_URI, ServerKey.AMQP_CA),
        new ServerConfig.Logs(readers(identity), threads, publish(identity)),
        delivery(rooms),
        new EdgeComposer(values).compose(),
        new ServerConfig.Drain(
            values.time(ServerKey.DRAIN_DELAY), values.time(ServerKey.DRAIN_TIMEOUT)),
        values.time(ServerKey.STATUS_INTERVAL),
        values.effective());
  }

  private ServerConfig.Ports ports() {
    return new ServerConfig.Ports(
        values.whole(ServerKey.PORT),
        new InetSocketAddress(
            values.address(ServerKey.ADMIN_ADDRESS), values.whole(ServerKey.ADMIN_PORT)),
        values.flag(ServerKey.METRICS_PUBLIC),
        Tls.of(values, ServerKey.TLS_CERTIFICATE, ServerKey.TLS_KEY));
  }

  private ServerConfig.Delivery delivery(RoomsConfig rooms) {
    return new ServerConfig.Delivery(
        rooms,
        fanOut(),
        values.whole(ServerKey.PRESENCE_LIMIT),
        values.wholeOr(ServerKey.QUIET_ROOM, QuietRooms.OFF));
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

  /**
   * Returns the number of reader threads; by default at most as many as the logs have space for.
   */
  private int readerThreads(Identity identity, int logs) {
    int usual = Math.min(identity.shards(), Math.min(cores, logs));
    int threads = values.whole(ServerKey.READER_THREADS, Integer.toString(usual));
    if (threads > identity.shards()) {
      String most = "at most the number of shards, " + identity.shards();
      values.wrong(ServerKey.READER_THREADS, Integer.toString(threads), most);
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

  /** Returns one thread's share of the logs' bytes: at least one room's log. */
  private long share(long roomBytes, long totalBytes, int threads) {
    if (totalBytes / threads < roomBytes) {
      values.wrong(
          ServerKey.ROOM_LOG_TOTAL_BYTES,
          values.text(ServerKey.ROOM_LOG_TOTAL_BYTES),
          "enough: %d reader threads need one room's log each, %s; or set %s=%d"
              .formatted(
                  threads,
                  AllowedValues.Size.shown(threads * roomBytes),
                  ServerKey.READER_THREADS.environmentName(),
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
}
