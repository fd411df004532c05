package dev.chatflow.standalone;

import dev.chatflow.broker.BrokerConfig;
import dev.chatflow.broker.BrokerConnector;
import dev.chatflow.broker.BrokerException;
import dev.chatflow.broker.ShardMismatchException;
import dev.chatflow.http.Answer;
import dev.chatflow.http.HttpListener;
import dev.chatflow.http.Request;
import dev.chatflow.identity.Access;
import dev.chatflow.identity.TokenDoor;
import dev.chatflow.standalone.answer.Query;
import dev.chatflow.standalone.answer.RecordAnswers;
import dev.chatflow.standalone.answer.Refusal;
import dev.chatflow.standalone.log.LogRecorder;
import dev.chatflow.standalone.log.RecordHealth;
import dev.chatflow.standalone.log.RecordMeters;
import dev.chatflow.standalone.store.Store;
import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * The standalone consumer with a database, wired: connection, logs, store, HTTP. Any thread may
 * call.
 */
final class RecordConsumer implements Running {

  private final BrokerConfig broker;
  private final BrokerConnector connector;
  private final Store store;
  private final LogRecorder recorder;
  private final RecordMeters meters = new RecordMeters();
  private final RecordHealth health;
  private final Access access;
  private final HttpListener http;

  /**
   * Binds the HTTP port; {@link #start} does the rest.
   *
   * @param fresh whether a new record begins with what is said from now on
   * @throws IOException when the port cannot be bound, or certificate or keys cannot be read
   */
  RecordConsumer(StandaloneConfig config, boolean fresh, String version)
      throws BrokerException, IOException {
    InstantSource clock = InstantSource.system();
    broker = config.broker();
    connector = new BrokerConnector(config.broker(), "standalone", "chatflow standalone consumer");
    store = Store.of(config.store(), clock);
    recorder =
        new LogRecorder(
            new LogRecorder.Parts(
                connector,
                store,
                config.readers(),
                config.retentionDays(),
                fresh,
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
            new TokenDoor(access, System::currentTimeMillis, request -> answer(request, answers)),
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

  @Override
  public void start() {
    connector.start();
    recorder.start();
    access.start();
    http.start();
  }

  @Override
  public URI url() {
    return Running.url(http);
  }

  @Override
  public boolean isReady() {
    return recorder.isReady();
  }

  @Override
  public @Nullable Exception failure() {
    ShardMismatchException mismatch = recorder.mismatch();
    return mismatch == null ? recorder.failure() : mismatch;
  }

  @Override
  public String needs() {
    return "the broker at " + broker + " and the record " + store.name();
  }

  @Override
  public String trouble() {
    return recorder.trouble();
  }

  @Override
  public void close() {
    health.draining();
    recorder.close();
    connector.close();
    http.close();
    access.close();
    store.questions().close();
    meters.close();
  }
}
