package dev.chatflow.record;

import dev.chatflow.broker.BrokerConfig;
import dev.chatflow.broker.BrokerConnector;
import dev.chatflow.broker.BrokerException;
import dev.chatflow.broker.ShardMismatchException;
import dev.chatflow.identity.Access;
import dev.chatflow.identity.TokenFilter;
import dev.chatflow.support.Answer;
import dev.chatflow.support.HostHeader;
import dev.chatflow.support.HttpListener;
import dev.chatflow.support.Request;
import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** The wired standalone consumer: connection, logs, store, HTTP. Thread-safe. */
final class StandaloneConsumer implements AutoCloseable {

  private final BrokerConfig broker;
  private final BrokerConnector connector;
  private final @Nullable TemporaryFolder temporary;
  private final Store store;
  private final LogRecorder recorder;
  private final RecordMeters meters = new RecordMeters();
  private final RecordHealth health;
  private final Access access;
  private final HttpListener http;

  /**
   * Binds the HTTP port; {@link #start} does the rest.
   *
   * @param fresh whether a new archive starts with messages from now on, as a temporary one does
   * @throws IOException if the port cannot be bound, or certificate or keys cannot be read
   */
  StandaloneConsumer(StandaloneConfig config, boolean fresh, String version)
      throws BrokerException, IOException {
    InstantSource clock = InstantSource.system();
    broker = config.broker();
    connector = new BrokerConnector(config.broker(), "standalone", "chatflow standalone consumer");
    temporary = config.isTemporary() ? new TemporaryFolder() : null;
    store = Store.of(temporary == null ? config.store() : "sqlite:" + temporary.file(), clock);
    recorder =
        new LogRecorder(
            new LogRecorder.Parts(
                connector,
                store,
                config.readers(),
                config.retentionDays(),
                fresh || temporary != null,
                clock,
                meters,
                meters));
    meters.show(recorder, connector);
    health = new RecordHealth(version, connector, recorder, store.name(), meters);
    RecordAnswers answers = new RecordAnswers(store.questions(), clock);
    access = Access.of(config.access(), "chat-");
    http =
        new HttpListener(
            config.listen(),
            "chat-http-",
            new TokenFilter(access, System::currentTimeMillis, request -> answer(request, answers)),
            config.tls());
  }

  private Answer answer(Request request, RecordAnswers answers) {
    String path = request.uri().getPath();
    boolean own = path.equals("/health") || path.equals("/metrics");
    if (!own || !request.method().equals("GET")) {
      return answers.answer(request);
    }
    try {
      new Query(request.uri().getRawQuery()).end("this path has no parameters");
    } catch (Refusal refusal) {
      return refusal.answer();
    }
    return path.equals("/health") ? health.answer() : meters.scrape(request.accept());
  }

  void start() throws IOException {
    if (temporary != null) {
      temporary.make();
    }
    connector.start();
    recorder.start();
    access.start();
    http.start();
  }

  /** Returns the address of its API. */
  URI url() {
    String host = HostHeader.reachable(http.address().getAddress().getHostAddress());
    return URI.create(http.scheme() + "://" + host + ":" + http.address().getPort());
  }

  /** Returns the name of the store, without secrets. */
  String record() {
    return store.name() + (temporary == null ? "" : ", deleted at the end");
  }

  /** Returns whether every message from now on is recorded. */
  boolean isReady() {
    return recorder.isReady();
  }

  /** Returns why it cannot continue, or null. */
  @Nullable Exception failure() {
    ShardMismatchException mismatch = recorder.mismatch();
    return mismatch == null ? recorder.failure() : mismatch;
  }

  /** Returns the systems that it waits for at its start, for people. */
  String needs() {
    return "the broker at " + broker + " and the archive " + store.name();
  }

  /** Returns why it does not record, for operators. */
  String trouble() {
    return recorder.trouble();
  }

  /** Records everything that was read, then ends. */
  @Override
  public void close() {
    health.draining();
    recorder.close();
    connector.close();
    http.close();
    access.close();
    store.questions().close();
    meters.close();
    if (temporary != null) {
      temporary.close();
    }
  }
}
