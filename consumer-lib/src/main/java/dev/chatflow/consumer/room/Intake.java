package dev.chatflow.consumer.room;

import dev.chatflow.broker.Lane;
import dev.chatflow.consumer.BodyReader;
import dev.chatflow.consumer.ConsumerConfig;
import dev.chatflow.consumer.ConsumerMeter.Duplicate;
import dev.chatflow.consumer.DeadLetter;
import dev.chatflow.consumer.Delivery;
import dev.chatflow.consumer.DuplicateFilter;
import dev.chatflow.consumer.DuplicateFilter.Arrival;
import dev.chatflow.consumer.DuplicateFilter.Verdict;
import dev.chatflow.consumer.LaneHeaders;
import dev.chatflow.consumer.room.Sessions.Sender;
import dev.chatflow.consumer.room.ShardLink.OwnFlight;
import dev.chatflow.message.line.Line;
import dev.chatflow.room.JoinStamp;
import dev.chatflow.room.Room;
import dev.chatflow.room.RoomEvent;
import dev.chatflow.room.Rooms;
import dev.chatflow.room.Shard;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes AMQP messages of one consumer thread to their rooms: filters what was delivered before,
 * decodes line by line, and tells the senders of this server what came back.
 *
 * <p>Belongs to the consumer thread.
 */
final class Intake {

  private static final Logger log = LoggerFactory.getLogger(Intake.class);

  private final ConsumerConfig config;
  private final int thread;
  private final List<ShardLink> links;
  private final Sessions sessions;
  private final Rooms rooms;
  private final IntakeMeter meter;
  private final Watchdog watchdog;
  private final DuplicateFilter filter;
  private final LaneHeaders headers;
  private final Returns returns;
  private final BodyReader bodies;

  // Of the AMQP message in hand.
  private boolean own;
  private int messages;
  private long nowMillis;

  /** The bindings by which the last messages came, by shard. */
  private final long[] generations;

  private long twinEpoch;

  Intake(RoomDuty.Parts parts, Watchdog watchdog) {
    this.config = parts.config();
    this.thread = parts.thread();
    this.links = parts.links();
    this.generations = new long[links.size()];
    this.sessions = parts.sessions();
    this.rooms = parts.rooms();
    this.meter = parts.meter();
    this.watchdog = watchdog;
    this.filter = new DuplicateFilter(config, shard -> links.get(shard).generation());
    this.headers = new LaneHeaders(parts::hasShard);
    this.returns = new Returns(sessions);
    this.bodies = new BodyReader(this::show, meter);
  }

  /** The queue is read anew: what was not acknowledged may come again. */
  void reopened() {
    filter.reopened();
    watchdog.restart();
  }

  /** Takes one AMQP message; what it holds is in its rooms' logs when this returns. */
  void take(Delivery delivery, long millis) {
    nowMillis = millis;
    Arrival arrival = headers.arrival(delivery.properties(), delivery.isBeacon());
    if (arrival == null) {
      own = false;
      deliver(delivery);
    } else {
      own = filter.isOwn(arrival.lane());
      take(delivery, arrival);
    }
  }

  private void take(Delivery delivery, Arrival arrival) {
    ShardLink link = links.get(arrival.lane().shard());
    noticeBinding(link);
    Verdict verdict = filter.judge(arrival, nowMillis);
    if (verdict == Verdict.DUPLICATE) {
      meter.duplicate(Duplicate.LANE);
    } else {
      if (verdict == Verdict.LOSS) {
        continuityLost(link);
      }
      deliver(delivery, arrival, link);
    }
    if (own) {
      link.returned(arrival.sequence());
      watchdog.returned(link, arrival.sequence(), System.nanoTime());
    } else {
      watchForTwin(arrival.lane());
    }
  }

  /** Before this generation the shard was not bound, or bound to another queue. */
  private void noticeBinding(ShardLink link) {
    int shard = link.shard().index();
    long generation = link.generation();
    if (generation > generations[shard]) {
      generations[shard] = generation;
      rooms.forgetJoins(link.shard());
    }
  }

  /** Tells that messages of a shard may be missing. */
  void continuityLost(ShardLink link) {
    log.warn("messages of shard {} may be missing", link.shard().index());
    meter.gap();
    sessions.continuityLost(link.shard());
  }

  private void deliver(Delivery delivery, Arrival arrival, ShardLink link) {
    OwnFlight flight = link.flight(); // before its sender may start the next
    deliver(delivery);
    if (own && messages > 0 && flight.sequence() == arrival.sequence()) {
      long appended = System.nanoTime();
      meter.lag(nanos(delivery.arrivedNanos() - flight.publishedNanos()));
      meter.append(nanos(appended - delivery.arrivedNanos()));
      meter.endToEnd(nanos(appended - flight.acceptedNanos()));
    }
  }

  private static Duration nanos(long difference) {
    return Duration.ofNanos(Math.max(0, difference));
  }

  private void deliver(Delivery delivery) {
    messages = bodies.read(delivery);
    returns.tell();
    if (messages > 0) {
      meter.consumed(messages);
    }
  }

  private @Nullable String show(Line.Message message) {
    Shard shard = Shard.of(message.room(), config.shards());
    if (!config.hasShard(thread, shard.index())) {
      return "room " + message.room() + " is not of the shard it was sent to";
    }
    Sender sender = own ? sender(message.session()) : null;
    Room room = rooms.room(message.room());
    switch (room.accept(
        event(message, shard), sender == null ? null : sender.member(), nowMillis)) {
      case SHOWN -> {}
      case STALE -> meter.duplicate(Duplicate.STALE);
      case RESEND -> resent(message, sender);
    }
    return null;
  }

  private @Nullable Sender sender(@Nullable String session) {
    return session == null ? null : returns.count(session);
  }

  private RoomEvent event(Line.Message message, Shard shard) {
    return switch (message.type()) {
      case JOIN -> {
        links.get(shard.index()).joinSeen(message.serverMillis());
        JoinStamp stamp =
            new JoinStamp(message.serverMillis(), message.serverId(), session(message));
        yield new RoomEvent.Joined(message.userId(), message.username(), stamp, message.payload());
      }
      case LEAVE -> new RoomEvent.Left(message.userId(), session(message), message.payload());
      case TEXT -> new RoomEvent.Said(message.userId(), message.idHash(), message.payload());
    };
  }

  private static String session(Line.Message message) {
    return Objects.requireNonNullElse(message.session(), "");
  }

  private void resent(Line.Message message, @Nullable Sender sender) {
    meter.duplicate(Duplicate.RESEND);
    if (sender != null) {
      sender.resendWasShown(message.message());
    }
  }

  /** What waits to be published to the dead letters, oldest first; the taker removes. */
  Queue<DeadLetter> deadLetters() {
    return bodies.deadLetters();
  }

  /** A boot of the own id other than this process should be dead. One log line for each. */
  private void watchForTwin(Lane lane) {
    if (lane.serverId().equals(config.serverId()) && lane.bootEpoch() != twinEpoch) {
      twinEpoch = lane.bootEpoch();
      log.error(
          "another process, started at {}, publishes as server {}: ids must differ",
          Instant.ofEpochMilli(twinEpoch),
          config.serverId());
    }
  }
}
