package dev.chatflow.server.http;

import dev.chatflow.server.publish.Vitals;
import dev.chatflow.support.Answer;
import java.net.HttpURLConnection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The answers of the HTTP side, made in one place for servlets and the admin listener. */
public final class Answers {

  private final Vitals vitals;

  /** Makes them. */
  public Answers(Vitals vitals) {
    this.vitals = vitals;
  }

  /** For balancers: a broker that is away for a moment does not take a server out. */
  public Answer health() {
    return answer(vitals.health());
  }

  /** The same without version and revision, where tokens are asked for. */
  Answer healthForStrangers() {
    return answer(vitals.health().forStrangers());
  }

  private static Answer answer(Vitals.Health health) {
    return Answer.json(health.status().httpStatus(), health);
  }

  /** For operators: strict. */
  public Answer ready() {
    String reason = vitals.unready();
    return reason == null
        ? Answer.ok(Map.of("ready", true))
        : Answer.json(HttpURLConnection.HTTP_UNAVAILABLE, Map.of("ready", false, "reason", reason));
  }

  /** For whoever asks: an operator finds the reason at the admin listener. */
  Answer readyOrNot() {
    boolean ready = vitals.unready() == null;
    int status = ready ? HttpURLConnection.HTTP_OK : HttpURLConnection.HTTP_UNAVAILABLE;
    return Answer.json(status, Map.of("ready", ready));
  }

  /** Counters since the start. */
  public Answer stats() {
    return Answer.ok(vitals.stats());
  }

  /** All meters, in the format the Accept header asks for. */
  public Answer metrics(@Nullable String accept) {
    return vitals.metrics(accept);
  }
}
