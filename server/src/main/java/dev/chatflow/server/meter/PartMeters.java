package dev.chatflow.server.meter;

import dev.chatflow.broker.BrokerConnector;
import dev.chatflow.identity.Access;
import dev.chatflow.room.FanOut;
import dev.chatflow.room.Rooms;
import dev.chatflow.room.SlowCause;
import dev.chatflow.server.edge.ConnectionRegistry;
import dev.chatflow.server.edge.Posts;
import dev.chatflow.server.publish.CircuitState;
import dev.chatflow.server.publish.Publisher;
import dev.chatflow.support.AddressRates;
import dev.chatflow.support.MeterBook;
import io.micrometer.core.instrument.Tags;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** The meters whose values are kept by the parts of a server. One thread binds them, once. */
public final class PartMeters {

  private final Meters meters;
  private final MeterBook book;
  private final Parts parts;

  public PartMeters(Meters meters, Parts parts) {
    this.meters = meters;
    this.book = meters.book();
    this.parts = parts;
  }

  /** Registers all of them except {@link #bindInfo}. */
  public void bind(BooleanSupplier draining, BrokerConnector... connectors) {
    bindEdge(parts.connections(), draining);
    bindPublisher(parts.publisher());
    for (BrokerConnector connector : connectors) {
      bindBroker(connector);
    }
    bindFanOut(parts.fanOut());
    bindRooms();
  }

  /** Registers the meters of token keys. */
  public void bindAccess(Access access) {
    book.counter(
        "chatflow.access.failures",
        "failed reloads of token keys or denied users; the last valid ones stay in force",
        access,
        Access::failures);
  }

  /** Registers the meter of the wall clock. */
  public void bindClock(DoubleSupplier behindSeconds) {
    book.gauge(
        "chatflow.clock.behind.seconds",
        "how far another server's clock was ahead, at most, in the last minute or two; 0 if none was",
        behindSeconds,
        DoubleSupplier::getAsDouble);
  }

  /** Registers the meters of request rates by address. */
  public void bindRates(AddressRates rates) {
    book.gauge(
        "chatflow.addresses",
        "addresses with counted connections or rates; 0 if neither has a limit",
        rates,
        AddressRates::size);
    book.counter(
        "chatflow.addresses.forgotten",
        "addresses whose rate was forgotten, because 10,000 were known",
        rates,
        AddressRates::forgotten);
  }

  /** Registers the meters of known servers. */
  public void bindServers(IntSupplier observed, LongSupplier forgotten) {
    book.gauge(
        "chatflow.servers",
        "servers seen in the last two minutes, including this one",
        observed,
        IntSupplier::getAsInt);
    book.counter(
        "chatflow.servers.forgotten",
        "servers that were forgotten, because 256 were known",
        forgotten,
        LongSupplier::getAsLong);
  }

  /** Registers the meter of a server that does not deliver. */
  public void bindStall(BooleanSupplier stalls) {
    book.gauge(
        "chatflow.stalled",
        "1 while accepted messages wait and none has advanced for 8 s",
        stalls,
        each -> each.getAsBoolean() ? 1 : 0);
  }

  /** Registers the meter with version and sink; call it when the sink is selected. */
  public void bindInfo(String version, String revision) {
    Tags who = Tags.of("version", version, "revision", revision, "sink", parts.sinks().name());
    book.gauge("chatflow.info", "version and revision of this server; always 1", who, this, _ -> 1);
  }

  private void bindEdge(ConnectionRegistry connections, BooleanSupplier draining) {
    book.gauge("chatflow.connections", "open connections", connections, ConnectionRegistry::size);
    book.gauge(
        "chatflow.connections.limit",
        "permitted connections: CHATFLOW_MAX_CONNECTIONS, or fewer if the heap holds fewer",
        connections,
        ConnectionRegistry::limit);
    book.gauge(
        "chatflow.connections.paused",
        "connections that are not read: window, lag, lane, mailbox or drain",
        connections,
        ConnectionRegistry::paused);
    book.gauge(
        "chatflow.drain.remaining",
        "connections that a drain still has to close",
        connections,
        s -> draining.getAsBoolean() ? s.size() : 0);
    book.gauge(
        "chatflow.http.posts.in.flight",
        "HTTP publishes without an answer yet; at most CHATFLOW_HTTP_IN_FLIGHT",
        parts.posts(),
        Posts::underWay);
  }

  private void bindPublisher(Publisher publisher) {
    book.gauge(
        "chatflow.circuit.open",
        "1 while new clients are refused because the broker does not confirm",
        publisher,
        p -> p.circuit() == CircuitState.CLOSED ? 0 : 1);
    for (int shard = 0; shard < publisher.lanes().size(); shard++) {
      int index = shard;
      book.gauge(
          "chatflow.lane.messages",
          "accepted messages in the publish queue",
          Tags.of("shard", Integer.toString(shard)),
          publisher,
          p -> p.lanes().get(index).waiting());
    }
    bindPool("active", publisher, Publisher::channelsActive);
    bindPool("idle", publisher, Publisher::channelsIdle);
  }

  private void bindPool(String state, Publisher publisher, ToDoubleFunction<Publisher> channels) {
    Tags tags = Tags.of("state", state);
    book.gauge(
        "chatflow.pool.channels",
        "channels of the pool, active or idle",
        tags,
        publisher,
        channels);
  }

  private void bindBroker(BrokerConnector connector) {
    Tags role = Tags.of("role", connector.role());
    book.gauge(
        "chatflow.broker.up",
        "1 while the publisher or consumer connection is open",
        role,
        connector,
        c -> c.connection() == null ? 0 : 1);
    book.counter(
        "chatflow.broker.reconnects",
        "reconnects to the broker",
        role,
        connector,
        BrokerConnector::reconnects);
  }

  private void bindFanOut(FanOut writers) {
    book.gauge(
        "chatflow.fanout.rooms.waiting",
        "rooms that wait for a flush",
        writers,
        FanOut::roomsWaiting);
    book.counter("chatflow.deliveries", "frames written to members", writers, FanOut::deliveries);
    book.counter(
        "chatflow.bytes.out",
        "bytes of broadcasts written, frame headers included",
        writers,
        FanOut::bytesOut);
    book.counter(
        "chatflow.writes", "writes that carried frames to members", writers, FanOut::writes);
    book.counter(
        "chatflow.signals.missed",
        "signals that members were too slow to get",
        writers,
        FanOut::missedSignals);
    book.gauge(
        "chatflow.frames.per.write",
        "average number of frames per write since the start",
        writers,
        w -> w.writes() == 0 ? 0 : (double) w.deliveries() / w.writes());
  }

  private void bindRooms() {
    book.gauge(
        "chatflow.rooms", "rooms with members on this server", parts, Parts::occupiedRoomCount);
    book.gauge("chatflow.members", "members on this server", parts, Parts::memberCount);
    book.gauge(
        "chatflow.room.log.bytes",
        "memory of all room logs, history included",
        parts,
        Parts::logBytes);
    book.gauge(
        "chatflow.presence.members",
        "known members of all rooms, on all servers; at most CHATFLOW_PRESENCE_LIMIT of other servers",
        parts,
        p -> p.presence().kept());
    book.counter(
        "chatflow.presence.omitted",
        "members of other servers that were left out because of CHATFLOW_PRESENCE_LIMIT",
        parts,
        p -> p.presence().omitted());
    bindResumed("yes", Rooms::resumed);
    bindResumed("no", Rooms::notResumed);
    book.counter(
        "chatflow.past.frames",
        "frames from before a JOIN that were sent to the joining member",
        parts,
        p -> sum(p, Rooms::pastFrames));
    for (SlowCause cause : SlowCause.values()) {
      String reason = cause.name().toLowerCase(Locale.ROOT).replace('_', ' ');
      bindSlow(reason, parts, p -> sum(p, rooms -> rooms.slowClosed(cause)));
    }
    bindSlow("write timeout", meters, Meters::writesTimedOut);
  }

  private void bindResumed(String found, ToLongFunction<Rooms> count) {
    Tags tags = Tags.of("found", found);
    String meaning =
        "members that named their last frame; yes: it was found, and they missed nothing";
    book.counter("chatflow.resumes", meaning, tags, parts, p -> sum(p, count));
  }

  private static long sum(Parts parts, ToLongFunction<Rooms> count) {
    return parts.rooms().stream().mapToLong(count).sum();
  }

  private <T> void bindSlow(String reason, T source, ToDoubleFunction<T> value) {
    Tags tags = Tags.of("reason", reason);
    book.counter(
        "chatflow.slow.closed",
        "slow members closed with 4008: behind others, log full, share used up, send deadline, write timeout",
        tags,
        source,
        value);
  }
}
