package dev.chatflow.record;

import dev.chatflow.broker.BrokerConnector;
import dev.chatflow.support.Answer;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The health of the standalone consumer: {@code GET /health}. The field names of its records are
 * those of the answer. Thread-safe.
 */
public final class RecordHealth {

  /** The connection to the broker. */
  record Broker(BrokerConnector.State state, int reconnects) {}

  /**
   * The answer.
   *
   * @param trouble why it does not record; null without a problem
   * @param lagMillis age of the oldest message that was read but not written
   * @param logCoversSeconds how long the shard logs hold messages at the present rate; null while
   *     unknown
   */
  record View(
      String status,
      String version,
      long uptimeSeconds,
      String record,
      @Nullable String trouble,
      Broker broker,
      List<LogRecorder.LogState> logs,
      long recorded,
      long waiting,
      long lagMillis,
      double maxLagMillis,
      @Nullable Long logCoversSeconds,
      long poison,
      long gaps) {}

  private final String version;
  private final BrokerConnector connector;
  private final LogRecorder recorder;
  private final String store;
  private final RecordMeters meters;
  private final long startedNanos = System.nanoTime();
  private volatile boolean draining;

  /**
   * Reports the health of a recorder.
   *
   * @param store the store's name, without secrets
   */
  public RecordHealth(
      String version,
      BrokerConnector connector,
      LogRecorder recorder,
      String store,
      RecordMeters meters) {
    this.version = version;
    this.connector = connector;
    this.recorder = recorder;
    this.store = store;
    this.meters = meters;
  }

  public void draining() {
    draining = true;
  }

  /** Returns 200 while it records, or will as soon as its database is back; otherwise 503. */
  public Answer answer() {
    LogRecorder.State state = recorder.state();
    boolean usable = !draining && state != LogRecorder.State.STARTING;
    return Answer.json(
        usable ? HttpURLConnection.HTTP_OK : HttpURLConnection.HTTP_UNAVAILABLE, view(state));
  }

  private View view(LogRecorder.State state) {
    String trouble = recorder.trouble();
    long covers = recorder.coverSeconds();
    return new View(
        draining ? "DRAINING" : state.name(),
        version,
        TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startedNanos),
        store,
        trouble.isEmpty() ? null : trouble,
        new Broker(connector.state(), connector.reconnects()),
        recorder.logs(),
        meters.messageCount(),
        recorder.waiting(),
        recorder.lagMillis(),
        meters.maxLagMillis(),
        covers == Long.MAX_VALUE ? null : covers,
        meters.poisonCount(),
        meters.gapCount());
  }
}
