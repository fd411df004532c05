package dev.chatflow.server;

import dev.chatflow.broker.BrokerConnector;
import dev.chatflow.delivery.ShardReaders;
import dev.chatflow.room.FanOut;
import dev.chatflow.server.publish.CircuitState;
import dev.chatflow.server.publish.Publisher;
import dev.chatflow.server.publish.Vitals;
import dev.chatflow.server.sink.tomcat.Sinks;
import dev.chatflow.support.Progress;
import dev.chatflow.support.Status;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Computes from its parts whether a server can serve now. Thread-safe. */
final class Readiness {

  private static final String PAUSED = "paused";

  private final BrokerConnector publisherConnector;
  private final BrokerConnector consumerConnector;
  private final ShardReaders readers;
  private final Publisher publisher;
  private final FanOut fanOut;
  private final Progress fanOutProgress = new Progress();
  private final Sinks sinks;
  private final BooleanSupplier wasPaused;
  private volatile boolean wasReady;
  private volatile boolean draining;

  /**
   * Creates it.
   *
   * @param wasPaused returns whether the server just resumed after a pause of the process
   */
  Readiness(
      BrokerConnector publisherConnector,
      BrokerConnector consumerConnector,
      ShardReaders readers,
      Publisher publisher,
      FanOut fanOut,
      Sinks sinks,
      BooleanSupplier wasPaused) {
    this.publisherConnector = publisherConnector;
    this.consumerConnector = consumerConnector;
    this.readers = readers;
    this.publisher = publisher;
    this.fanOut = fanOut;
    this.sinks = sinks;
    this.wasPaused = wasPaused;
  }

  /** Marks the server as draining; false if it already is. */
  boolean startDraining() {
    boolean first = !draining;
    draining = true;
    return first;
  }

  boolean isDraining() {
    return draining;
  }

  Status status() {
    boolean open =
        publisherConnector.state() == BrokerConnector.State.OPEN
            && consumerConnector.connection() != null;
    boolean ready = open && readers.isReady() && sinks.isDecided() && stall().isEmpty();
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

  /** Returns why no connection is accepted now: starting, draining or just resumed; or null. */
  @Nullable String closedBecause() {
    Status status = status();
    return switch (status) {
      case STARTING, DRAINING -> status.name().toLowerCase(Locale.ROOT);
      case UP, DEGRADED -> wasPaused.getAsBoolean() ? PAUSED : null;
    };
  }

  /** Returns why messages are not delivered; empty if they are. */
  String stall() {
    long now = System.nanoTime();
    boolean written = !fanOutProgress.stalls(fanOut.roomsWaiting() > 0, fanOut.rounds(), now);
    String published = publisher.stall(now);
    String read = readers.stall(now);
    return !read.isEmpty()
        ? read
        : !published.isEmpty() ? published : written ? "" : "rooms wait to be written for 8 s";
  }

  /** Returns why this server is not UP, without addresses; null if it is. */
  @Nullable String trouble() {
    if (status() == Status.UP || draining) {
      return null;
    }
    boolean connected =
        publisherConnector.connection() != null && consumerConnector.connection() != null;
    if (!connected) {
      return "there is no connection to the broker";
    }
    if (publisherConnector.state() == BrokerConnector.State.BLOCKED) {
      return "the broker accepts no messages: its memory or disk alarm is on";
    }
    if (!readers.isReady()) {
      return "the logs are not read";
    }
    return stall().isEmpty() ? "the server is starting" : stall();
  }

  /** Returns why not everything works, for operators; or null. */
  @Nullable String unready() {
    if (draining) {
      return "draining";
    }
    if (wasPaused.getAsBoolean()) {
      return PAUSED;
    }
    String refusal = sinks.refusal();
    if (refusal != null) {
      return refusal;
    }
    if (!sinks.isDecided()) {
      return "the self-test of the sink is running";
    }
    if (publisherConnector.state() != BrokerConnector.State.OPEN) {
      return "publisher connection "
          + publisherConnector.state()
          + ": "
          + publisherConnector.trouble();
    }
    if (!readers.isReady()) {
      return "logs are not read: " + readers.trouble();
    }
    if (!stall().isEmpty()) {
      return stall();
    }
    if (publisher.circuit() != CircuitState.CLOSED) {
      return "circuit " + publisher.circuit() + ": " + publisher.circuitReason();
    }
    return publisher.belowHighMark() ? null : "a publish lane is more than half full";
  }

  Vitals.Broker broker() {
    return new Vitals.Broker(
        publisherConnector.state().name(),
        consumerConnector.state().name(),
        publisher.circuit().name());
  }
}
