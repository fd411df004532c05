package dev.chatflow.server.http;

import dev.chatflow.http.Answer;
import dev.chatflow.http.HttpListener;
import dev.chatflow.server.vitals.Vitals;
import java.net.URI;
import org.jspecify.annotations.Nullable;

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
  public Answer answer(String method, URI uri, @Nullable String accept) {
    String path = uri.getPath();
    if (path.equals("/drain") != method.equals("POST")) {
      return Answer.methodNotAllowed("POST /drain; GET everything else");
    }
    return switch (path) {
      case "/metrics" -> answers.metrics(accept);
      case "/ready" -> answers.ready();
      case "/health" -> answers.health();
      case "/drain" -> drained();
      default -> Answer.notFound("/metrics, /ready, /health and POST /drain");
    };
  }

  private Answer drained() {
    drain.run();
    return answers.health();
  }
}
