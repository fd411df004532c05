package dev.chatflow.server.http;

import dev.chatflow.server.publish.Vitals;
import dev.chatflow.support.Answer;
import java.net.HttpURLConnection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The HTTP responses shared by servlets and the admin listener. */
public final class Answers {

  private final Vitals vitals;

  public Answers(Vitals vitals) {
    this.vitals = vitals;
  }

  /**
   * Returns the health for balancers: a broker that is unavailable for a moment does not take a
   * server out of service.
   */
  public Answer health() {
    return answer(vitals.health());
  }

  /**
   * Returns the health without version and revision, for clients without a token where tokens are
   * used.
   */
  Answer healthForStrangers() {
    return answer(vitals.health().forStrangers());
  }

  private static Answer answer(Vitals.Health health) {
    return Answer.json(health.status().httpStatus(), health);
  }

  /** Returns the readiness for operators, which is strict. */
  public Answer ready() {
    String reason = vitals.unready();
    return reason == null
        ? Answer.ok(Map.of("ready", true))
        : Answer.json(HttpURLConnection.HTTP_UNAVAILABLE, Map.of("ready", false, "reason", reason));
  }

  /** Returns the readiness without a reason, which operators find at the admin listener. */
  Answer readyOrNot() {
    boolean ready = vitals.unready() == null;
    int status = ready ? HttpURLConnection.HTTP_OK : HttpURLConnection.HTTP_UNAVAILABLE;
    return Answer.json(status, Map.of("ready", ready));
  }

  /** Returns the counters since the start. */
  public Answer stats() {
    return Answer.ok(vitals.stats());
  }

  /** Returns all meters, in the format of the Accept header. */
  public Answer metrics(@Nullable String accept) {
    return vitals.metrics(accept);
  }
}
