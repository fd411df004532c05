package dev.chatflow.server;

import dev.chatflow.broker.BrokerConnector;
import dev.chatflow.consumer.RoomConsumer;
import dev.chatflow.room.Room;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.Rooms;
import dev.chatflow.room.SlowCause;
import dev.chatflow.room.fanout.FanOut;
import dev.chatflow.server.edge.SessionRegistry;
import dev.chatflow.server.edge.Sinks;
import dev.chatflow.server.http.Vitals;
import dev.chatflow.server.meter.Meters;
import dev.chatflow.server.publish.CircuitState;
import dev.chatflow.server.publish.LaneView;
import dev.chatflow.server.publish.Publisher;
import io.micrometer.core.instrument.Tags;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The state of a server, put together from its parts when somebody asks. Thread-safe. */
final class ServerVitals implements Vitals {

  private final ServerConfig config;
  private final BuildInfo build = BuildInfo.read();
  private final Meters meters;
  private final BrokerConnector publisherConnector;
  private final BrokerConnector consumerConnector;
  private final RoomConsumer consumer;
  private final Publisher publisher;
  private final SessionRegistry sessions;
  private final Sinks sinks;
  private final long startedNanos = System.nanoTime();
  private volatile boolean wasReady;
  private volatile boolean draining;
  private volatile @Nullable FanOut fanOut;

  ServerVitals(
      ServerConfig config,
      Meters meters,
      BrokerConnector publisherConnector,
      BrokerConnector consumerConnector,
      RoomConsumer consumer,
      Publisher publisher,
      SessionRegistry sessions,
      Sinks sinks) {
    this.config = config;
    this.meters = meters;
    this.publisherConnector = publisherConnector;
    this.consumerConnector = consumerConnector;
    this.consumer = consumer;
    this.publisher = publisher;
    this.sessions = sessions;
    this.sinks = sinks;
  }

  /** Says that the server drains; false when it does already. */
  boolean startDraining() {
    boolean first = !draining;
    draining = true;
    return first;
  }

  /** Why no connection is let in now, or null. */
  @Nullable String closedBecause() {
    return switch (status()) {
      case STARTING -> "starting";
      case DRAINING -> "draining";
      case UP, DEGRADED -> null;
    };
  }

  private Status status() {
    boolean ready = isBrokerOpen() && consumer.isReady() && sinks.isDecided();
    if (ready && publisher.circuit() == CircuitState.CLOSED) {
      wasReady = true;
    }
    if (draining) {
      return Status.DRAINING;
    }
    if (!wasReady) {
      return Status.STARTING;
    }
    return ready ? Status.UP : Status.DEGRADED;
  }

  private boolean isBrokerOpen() {
    return publisherConnector.state() == BrokerConnector.State.OPEN
        && consumerConnector.connection() != null;
  }

  @Override
  public Health health() {
    return new Health(
        status(),
        config.identity().serverId(),
        build.version(),
        build.revision(),
        sinks.name(),
        uptimeSeconds(),
        sessions.size(),
        rooms().size(),
        new Broker(
            publisherConnector.state().name(),
            consumerConnector.state().name(),
            publisher.circuit().name()));
  }

  private long uptimeSeconds() {
    return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startedNanos);
  }

  @Override
  public @Nullable String unready() {
    if (draining) {
      return "draining";
    }
    String refusal = sinks.refusal();
    if (refusal != null) {
      return refusal;
    }
    if (!sinks.isDecided()) {
      return "the way out is being tested";
    }
    if (publisherConnector.state() != BrokerConnector.State.OPEN) {
      return "publisher connection "
          + publisherConnector.state()
          + ": "
          + publisherConnector.trouble();
    }
    if (!consumer.isReady()) {
      return "consumers not running: " + consumer.trouble();
    }
    if (publisher.circuit() != CircuitState.CLOSED) {
      return "circuit " + publisher.circuit();
    }
    return publisher.belowHighMark() ? null : "a publish lane is more than half full";
  }

  @Override
  public Stats stats() {
    return new Stats(
        config.identity().serverId(),
        uptimeSeconds(),
        sessions.size(),
        sessions.paused(),
        rooms().size(),
        memberCount(),
        meters.messagesIn(),
        meters.messagesPublished(),
        meters.messagesConsumed(),
        deliveries(),
        meters.refusedByCode(),
        meters.duplicatesDropped(),
        meters.gaps(),
        slowClosed(),
        publisher.lanes().stream().map(ServerVitals::lane).toList());
  }

  /** For the status line. */
  StatusLine.Snapshot snapshot() {
    return new StatusLine.Snapshot(health(), stats(), logBytes());
  }

  private long logBytes() {
    return consumer.rooms().stream().mapToLong(Rooms::logBytes).sum();
  }

  private static Lane lane(LaneView lane) {
    return new Lane(lane.shard(), lane.waiting(), lane.flights());
  }

  private Stream<Room> peopled() {
    return consumer.rooms().stream()
        .flatMap(rooms -> rooms.all().stream())
        .filter(room -> room.memberCount() > 0);
  }

  private int memberCount() {
    return peopled().mapToInt(Room::memberCount).sum();
  }

  private long deliveries() {
    FanOut writers = fanOut;
    return writers == null ? 0 : writers.deliveries();
  }

  private long slowClosed() {
    return meters.writesTimedOut() + consumer.rooms().stream().mapToLong(Rooms::slowClosed).sum();
  }

  @Override
  public List<RoomSize> rooms() {
    return peopled()
        .map(room -> new RoomSize(room.id().value(), room.memberCount()))
        .sorted(Comparator.comparing(RoomSize::roomId))
        .toList();
  }

  @Override
  public List<MemberInfo> members(String roomId) {
    RoomId id = new RoomId(roomId);
    return consumer.rooms().stream()
        .map(rooms -> rooms.find(id))
        .filter(Objects::nonNull)
        .flatMap(room -> Objects.requireNonNull(room).members().stream())
        .map(member ->
            new MemberInfo(
                Integer.toString(member.userId()),
                member.username(),
                Instant.ofEpochMilli(member.joinedMillis()).toString()))
        .toList();
  }

  @Override
  public Exposition metrics(@Nullable String accept) {
    return new Exposition(Meters.contentType(accept), meters.scrape(accept));
  }

  /** Registers the meters whose values the parts keep themselves. */
  void bindMeters(FanOut writers) {
    fanOut = writers;
    meters.gauge("chatflow.connections", "open connections", sessions, SessionRegistry::size);
    meters.gauge(
        "chatflow.sessions.paused", "connections not read now", sessions, SessionRegistry::paused);
    meters.gauge("chatflow.rooms", "rooms with members here", this, v -> v.peopled().count());
    meters.gauge("chatflow.members", "members here", this, ServerVitals::memberCount);
    meters.gauge(
        "chatflow.drain.remaining",
        "connections a drain still has to close",
        this,
        v -> v.draining ? v.sessions.size() : 0);
    meters.gauge(
        "chatflow.circuit.open",
        "1 while newcomers are refused for the broker's sake",
        publisher,
        p -> p.circuit() == CircuitState.CLOSED ? 0 : 1);
    bindBroker(publisherConnector);
    bindBroker(consumerConnector);
    bindLanes();
    bindFanOut(writers);
  }

  /** Registers the meter that says who this is; when the sink is decided. */
  void bindInfo() {
    meters.gauge(
        "chatflow.info",
        "1; who this is",
        Tags.of("version", build.version(), "revision", build.revision(), "sink", sinks.name()),
        this,
        _ -> 1);
  }

  private void bindBroker(BrokerConnector connector) {
    Tags role = Tags.of("role", connector.role());
    meters.gauge(
        "chatflow.broker.up",
        "1 while connected",
        role,
        connector,
        c -> c.connection() == null ? 0 : 1);
    meters.counter(
        "chatflow.broker.reconnects",
        "connections made again",
        role,
        connector,
        BrokerConnector::reconnects);
  }

  private void bindLanes() {
    for (int shard = 0; shard < config.identity().shards(); shard++) {
      int index = shard;
      meters.gauge(
          "chatflow.lane.messages",
          "messages waiting for a flight",
          Tags.of("shard", Integer.toString(shard)),
          publisher,
          p -> p.lanes().get(index).waiting());
    }
    meters.gauge(
        "chatflow.pool.channels",
        "channels of the pool",
        Tags.of("state", "active"),
        publisher,
        Publisher::channelsActive);
    meters.gauge(
        "chatflow.pool.channels",
        "channels of the pool",
        Tags.of("state", "idle"),
        publisher,
        Publisher::channelsIdle);
  }

  private void bindFanOut(FanOut writers) {
    meters.gauge(
        "chatflow.fanout.rooms.waiting",
        "rooms waiting for a round",
        writers,
        FanOut::roomsWaiting);
    meters.counter(
        "chatflow.deliveries",
        "frames written to members",
        Tags.empty(),
        writers,
        FanOut::deliveries);
    meters.counter(
        "chatflow.bytes.out",
        "bytes of broadcasts written",
        Tags.empty(),
        writers,
        FanOut::bytesOut);
    meters.counter(
        "chatflow.writes", "writes that carried them", Tags.empty(), writers, FanOut::writes);
    meters.gauge(
        "chatflow.frames.per.write",
        "frames a write carried, over all time",
        writers,
        w -> w.writes() == 0 ? 0 : (double) w.deliveries() / w.writes());
    meters.gauge(
        "chatflow.room.log.bytes", "bytes held by room logs", this, ServerVitals::logBytes);
    for (SlowCause cause : SlowCause.values()) {
      bindSlow(cause);
    }
  }

  private void bindSlow(SlowCause cause) {
    Tags reason = Tags.of("reason", cause.name().toLowerCase(Locale.ROOT).replace('_', ' '));
    meters.counter(
        "chatflow.slow.closed",
        "members closed for falling behind",
        reason,
        consumer,
        c -> c.rooms().stream().mapToLong(rooms -> rooms.slowClosed(cause)).sum());
  }
}
