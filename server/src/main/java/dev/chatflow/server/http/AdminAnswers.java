package dev.chatflow.server.http;

import dev.chatflow.http.Answer;
import dev.chatflow.http.HttpListener;
import dev.chatflow.http.Request;
import dev.chatflow.server.vitals.Vitals;

/**
 * What the admin listener answers: metrics, readiness, health and drain, on a port of their own,
 * which answers while the main one is saturated. Any thread.
 */
public final class AdminAnswers implements HttpListener.Answers {

  private final Answers answers;
  private final Runnable drain;

  /**
   * Makes them.
   *
   * @param drain what {@code POST /drain} does; the answer is sent when it returns
   */
  public AdminAnswers(Vitals vitals, Runnable drain) {
    this.answers = new Answers(vitals);
    this.drain = drain;
  }

  @Override
  public Answer answer(Request request) {
    String path = request.uri().getPath();
    boolean isDrain = path.equals("/drain");
    if (!request.method().equals(isDrain ? "POST" : "GET")) {
      return Answer.methodNotAllowed(request.method(), isDrain ? "POST" : "GET, HEAD");
    }
    return switch (path) {
      case "/metrics" -> answers.metrics(request.accept());
      case "/ready" -> answers.ready();
      case "/health" -> answers.health();
      case "/drain" ->
          request.local()
              ? drained()
              : Answer.forbidden("POST /drain is taken from this machine alone");
      default -> Answer.notFound("/metrics, /ready, /health and POST /drain");
    };
  }

  private Answer drained() {
    drain.run();
    return answers.health();
  }
}
