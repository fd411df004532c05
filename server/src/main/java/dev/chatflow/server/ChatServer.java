package dev.chatflow.server;

import dev.chatflow.broker.BrokerConnector;
import dev.chatflow.broker.BrokerException;
import dev.chatflow.broker.ShardMismatchException;
import dev.chatflow.delivery.PresenceAnswer;
import dev.chatflow.delivery.QuietRooms;
import dev.chatflow.delivery.ShardReaders;
import dev.chatflow.identity.Access;
import dev.chatflow.identity.TokenFilter;
import dev.chatflow.log.ClusterTime;
import dev.chatflow.log.ServerStatistics;
import dev.chatflow.log.amqp.AmqpLogs;
import dev.chatflow.log.amqp.ClusterStatistics;
import dev.chatflow.presence.PresenceLimit;
import dev.chatflow.room.CloseReason;
import dev.chatflow.room.FanOut;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.Rooms;
import dev.chatflow.server.edge.Addresses;
import dev.chatflow.server.edge.ConnectionContext;
import dev.chatflow.server.edge.ConnectionRegistry;
import dev.chatflow.server.edge.ConnectionSlots;
import dev.chatflow.server.edge.EdgeConfig;
import dev.chatflow.server.edge.Gate;
import dev.chatflow.server.edge.Handshake;
import dev.chatflow.server.edge.HeapBound;
import dev.chatflow.server.edge.Heartbeat;
import dev.chatflow.server.edge.PendingLeaves;
import dev.chatflow.server.edge.Posts;
import dev.chatflow.server.http.AdminAnswers;
import dev.chatflow.server.http.ApiServlet;
import dev.chatflow.server.http.PastHandler;
import dev.chatflow.server.http.PresenceHandler;
import dev.chatflow.server.http.PublishHandler;
import dev.chatflow.server.meter.Meters;
import dev.chatflow.server.meter.PartMeters;
import dev.chatflow.server.meter.Parts;
import dev.chatflow.server.publish.Publisher;
import dev.chatflow.server.sink.tomcat.Sinks;
import dev.chatflow.support.CertificateWatch;
import dev.chatflow.support.HttpListener;
import dev.chatflow.support.Poll;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One running server: creates every part with {@code new}, starts them in order, drains and closes
 * them in reverse.
 *
 * <p>Started and closed by one thread; {@link #drain} may be called by several, and each call
 * returns when it is done.
 */
final class ChatServer implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(ChatServer.class);

  /**
   * A broker that answers within this time can show a wrong number of shards before the server
   * reports that it has started.
   */
  private static final Duration FIRST_CONTACT = Duration.ofSeconds(3);

  /** The drain ends by itself much earlier. */
  private static final Duration LONGEST_DRAIN = Duration.ofDays(1);

  /** Interval of checks for floods. */
  private static final Duration FLOODS_EVERY = Duration.ofSeconds(1);

  private static final Poll POLL = Poll.everyMillis(5);

  private final ServerConfig config;
  private final Meters meters;
  private final BrokerConnector publisherConnector;
  private final BrokerConnector consumerConnector;
  private final FanOut fanOut;
  private final List<Rooms> rooms;
  private final ConnectionSlots slots;
  private final ConnectionRegistry connections;
  private final Publisher publisher;
  private final Posts posts;
  private final AmqpLogs logs;
  private final ShardReaders readers;
  private final Access access;
  private final Gate gate;
  private final Handshake handshake;
  private final ApiServlet api;
  private final BuildInfo build = BuildInfo.read();
  private final Readiness readiness;
  private final PartMeters partMeters;
  private final ServerVitals vitals;
  private final OwnStatistics statistics;
  private final HttpListener admin;
  private final ServerTimer timer = new ServerTimer();
  private final ProcessPause pause = new ProcessPause(System.nanoTime(), this::wasPaused);
  private final Sinks sinks;

  private ChatServer(ServerConfig config, Meters meters) throws BrokerException, IOException {
    this.config = config;
    this.meters = meters;
    publisherConnector = connector("publisher");
    consumerConnector = connector("consumer");
    ServerConfig.Identity me = config.identity();
    ClusterTime time = new ClusterTime(System::nanoTime, System.currentTimeMillis());
    publisher =
        new Publisher(
            config.logs().publish(),
            publisherConnector,
            time,
            meters,
            this::probe,
            this::statistics);

    EdgeConfig edge = config.edge();
    access = Access.of(edge.access(), "chat-");
    gate =
        new Gate(edge.proxies(), edge.origins(), access, edge.rules().userIds(), new GateClock());
    Addresses addresses = new Addresses(edge.maxPerAddress());
    slots = new ConnectionSlots(edge.maxConnections(), addresses);
    sinks = new Sinks(edge.sink(), edge.sendDeadline(), timer);
    QuietRooms quiet = new QuietRooms(config.delivery().quietRoom());
    PendingLeaves leaves =
        new PendingLeaves(
            publisher, timer, me.serverId(), me.bootEpoch(), me.shards(), quiet::isQuiet);
    connections = new ConnectionRegistry(me.serverId(), me.bootEpoch(), slots, leaves);
    ConnectionContext context = context(leaves, addresses, quiet, time);
    posts = new Posts(context, connections);

    fanOut = new FanOut(config.delivery().fanOut());
    rooms =
        IntStream.range(0, config.logs().readerThreads())
            .mapToObj(_ -> new Rooms(config.delivery().rooms(), fanOut))
            .toList();
    logs = AmqpLogs.forServer(consumerConnector, me.shards(), publisher);
    PresenceLimit presence = new PresenceLimit(config.delivery().presence());
    readers =
        new ShardReaders(
            config.logs().readers(),
            new ShardReaders.Parts(
                logs, rooms, connections, time, publisher::lane, presence, quiet, meters));
    publisher.onUse(readers::use);

    readiness =
        new Readiness(
            publisherConnector,
            consumerConnector,
            readers,
            publisher,
            fanOut,
            sinks,
            this::isJustResumed);
    Parts parts = new Parts(connections, posts, publisher, rooms, presence, fanOut, sinks);
    partMeters = new PartMeters(meters, parts);
    ClusterStatistics cluster = logs.statistics();
    vitals =
        new ServerVitals(
            me.serverId(),
            edge,
            build,
            readiness,
            meters,
            parts,
            () -> cluster.observed(System.nanoTime()));
    statistics =
        new OwnStatistics(vitals::stats, meters::logLag, build.version(), System::nanoTime);
    handshake = new Handshake(connections, context, sinks, readiness::closedBecause);
    api = apiServlet();
    admin = adminListener(config.ports().admin());
  }

  private BrokerConnector connector(String role) throws BrokerException {
    String name = "chatflow " + config.identity().serverId() + " " + role;
    return new BrokerConnector(config.broker(), role, name);
  }

  private ConnectionContext context(
      PendingLeaves leaves, Addresses addresses, QuietRooms quiet, ClusterTime time) {
    return new ConnectionContext(
        config.identity().serverId(),
        config.identity().shards(),
        config.edge(),
        publisher,
        leaves,
        gate,
        connections.joins(),
        addresses,
        quiet::isQuiet,
        time,
        timer,
        this::isJustResumed,
        meters);
  }

  private ApiServlet apiServlet() {
    EdgeConfig edge = config.edge();
    return new ApiServlet(
        vitals,
        new PublishHandler(posts, readiness::closedBecause, edge.rules(), meters),
        new PastHandler(readers::ask, edge.history(), meters),
        new PresenceHandler(new People()),
        gate,
        config.ports().metricsPublic());
  }

  private static final class GateClock implements Gate.Clock {
    @Override
    public long millis() {
      return System.currentTimeMillis();
    }

    @Override
    public long nanos() {
      return System.nanoTime();
    }
  }

  /** Forwards presence requests to the readers. */
  private final class People implements PresenceHandler.Source {
    @Override
    public CompletableFuture<PresenceAnswer<PresenceAnswer.Room>> presence(
        RoomId room, int most, @Nullable String after) {
      return readers.presence(room, most, after);
    }

    @Override
    public CompletableFuture<PresenceAnswer<PresenceAnswer.Removal>> remove(
        RoomId room, String userId) {
      return readers.remove(room, userId);
    }

    @Override
    public CompletableFuture<PresenceAnswer<PresenceAnswer.Rooms>> rooms(
        int most, @Nullable String after) {
      return readers.rooms(most, after);
    }
  }

  private boolean isJustResumed() {
    return pause.isJustOver(System.nanoTime());
  }

  /**
   * Closes all connections, because messages that wait here may have been sent to another server
   * long ago.
   */
  private void wasPaused(Duration late) {
    connections.tellAll(CloseReason.COME_BACK);
    meters.wasPaused();
    log.warn("this process was paused for {} s: closing all connections (1012)", late.toSeconds());
  }

  /** Makes a lane publish an entry, which shows whether the broker confirms. */
  private void probe() {
    readers.useAny();
  }

  /** Returns the statistics; called by lanes, which run after everything is created. */
  private ServerStatistics statistics() {
    return statistics.get();
  }

  private HttpListener adminListener(InetSocketAddress address) throws IOException {
    try {
      return new HttpListener(
          address,
          "chat-admin-",
          new TokenFilter(
              access,
              System::currentTimeMillis,
              AdminAnswers::isGuarded,
              new AdminAnswers(
                  vitals, config.effective().byName(), this::drain, connections::closeUser)));
    } catch (IOException e) {
      throw new IOException(
          "admin listener: %s (set another with %s and %s)"
              .formatted(
                  e.getMessage(),
                  ServerKey.ADMIN_ADDRESS.environmentName(),
                  ServerKey.ADMIN_PORT.environmentName()),
          e);
    }
  }

  /**
   * Creates and starts a server.
   *
   * @throws StartException if it must not run: the admin port is in use, or the cluster has a
   *     different number of shards
   */
  static ChatServer start(ServerConfig config) throws StartException {
    ChatServer server = build(config);
    server.run();
    return server;
  }

  /** Creates the parts. Nothing runs yet except the meters, which observe the JVM's collections. */
  private static ChatServer build(ServerConfig config) throws StartException {
    Meters meters = new Meters(config.identity().serverId());
    try {
      return new ChatServer(config, meters);
    } catch (IOException | BrokerException e) {
      meters.close();
      throw new StartException(String.valueOf(e.getMessage()), e);
    } catch (RuntimeException e) {
      meters.close();
      throw e;
    }
  }

  private void run() throws StartException {
    timer.every(ProcessPause.TICK, () -> pause.tick(System.nanoTime()));
    timer.every(Publisher.LOOK, () -> publisher.look(System.nanoTime(), MachineLoad.now()));
    timer.every(Publisher.LOOK, () -> readiness.stall());
    access.start();
    publisherConnector.start();
    consumerConnector.start();
    fanOut.start();
    readers.start();
    publisher.start();
    refuseOtherShards();
    bindMeters();
    admin.start();
    timer.every(config.edge().heartbeat(), new Heartbeat(connections));
    timer.every(OwnStatistics.EVERY, statistics);
    if (config.edge().ratePerSecond() > 0) {
      timer.every(FLOODS_EVERY, connections::endFloods);
    }
    if (config.statusInterval().isPositive()) {
      timer.every(config.statusInterval(), new StatusLog(vitals::snapshot));
    }
    log.info("server {} started, admin on {}", config.identity().serverId(), admin.address());
    if (access.isOpen()) {
      log.info(
          "auth none: clients may use any user id. To require tokens, set CHATFLOW_TOKEN_KEYS");
    }
  }

  private void bindMeters() {
    partMeters.bindAccess(access);
    partMeters.bindRates(access.rates());
    partMeters.bindStall(() -> !readiness.stall().isEmpty());
    partMeters.bindClock(logs.clocks()::behindSeconds);
    ClusterStatistics cluster = logs.statistics();
    partMeters.bindServers(() -> cluster.observed(System.nanoTime()).size(), cluster::forgotten);
    partMeters.bind(readiness::isDraining, publisherConnector, consumerConnector);
  }

  /**
   * Refuses to start with a wrong number of shards. If the broker becomes available later, the
   * server then stays out of service.
   */
  private void refuseOtherShards() throws StartException {
    POLL.until(() -> readers.isReady() || readers.failure() != null, FIRST_CONTACT);
    ShardMismatchException mismatch = readers.failure();
    if (mismatch != null) {
      close();
      throw new StartException(String.valueOf(mismatch.getMessage()), mismatch);
    }
  }

  ServerConfig config() {
    return config;
  }

  /** Returns the address of the admin listener, with the actual port. */
  InetSocketAddress adminAddress() {
    return admin.address();
  }

  /** Returns the sinks, to be selected as soon as the container accepts connections. */
  Sinks sinks() {
    return sinks;
  }

  /**
   * Limits connections to what the heap holds; called once everything else is allocated.
   *
   * @param bytes heap of an idle connection
   */
  void boundByHeap(int bytes) {
    long laneBytes = config.identity().shards() * config.logs().publish().laneBytes();
    HeapBound heap = HeapBound.now(laneBytes, config.edge().window());
    int held = heap.connections(bytes);
    slots.heapHolds(held);
    log.info(
        "at most {} connections: CHATFLOW_MAX_CONNECTIONS is {}, a heap of {} MiB holds {} of about"
            + " {} KiB each",
        slots.limit(),
        config.edge().maxConnections(),
        heap.heapBytes() >> 20,
        held,
        bytes >> 10);
  }

  /** Reloads the certificate when its files change. */
  void follow(CertificateWatch watch) {
    timer.every(CertificateWatch.PERIOD, watch);
  }

  void sinkDecided() {
    partMeters.bindInfo(build.version(), build.revision());
  }

  Gate gate() {
    return gate;
  }

  Handshake handshake() {
    return handshake;
  }

  ApiServlet api() {
    return api;
  }

  /** Drains the server, see {@link Drain}. Returns when done, or after the drain timeout. */
  synchronized void drain() {
    if (!readiness.startDraining()) {
      return;
    }
    sinks.close();
    Duration timeout = config.drain().timeout();
    log.info("draining {} connections, at most {} s", connections.size(), timeout.toSeconds());
    Drain.Parts parts =
        new Drain.Parts(
            connections, posts, publisher::isEmpty, publisher::farewell, this::areCursorsCaughtUp);
    Drain drain = new Drain(parts, config.drain(), System.nanoTime());
    if (!POLL.until(() -> drain.step(System.nanoTime()), LONGEST_DRAIN)) {
      drain.hurry(); // interrupted
      boolean _ = drain.step(System.nanoTime());
    }
    if (drain.isComplete()) {
      log.info("drained");
    } else {
      log.warn(
          "drain gave up after {} s: {} connections open, accepted messages shown: {}",
          timeout.toSeconds(),
          connections.size(),
          drain.isShown());
    }
  }

  private boolean areCursorsCaughtUp() {
    return rooms.stream().allMatch(Rooms::areCaughtUp);
  }

  /**
   * Waits for the timer: a task may be running, and its thread must not outlive the application.
   */
  private void awaitTimer() {
    try {
      var _ = timer.awaitTermination(FIRST_CONTACT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /** Closes everything in reverse order; call {@link #drain} before. */
  @Override
  public void close() {
    sinks.close();
    timer.shutdownNow();
    admin.close();
    access.close();
    posts.stop();
    posts.giveUp();
    publisher.close();
    readers.close();
    fanOut.close();
    publisherConnector.close();
    consumerConnector.close();
    meters.close();
    awaitTimer();
    log.info("server {} stopped", config.identity().serverId());
  }
}
