package dev.chatflow.server.http;

import dev.chatflow.http.Answer;
import dev.chatflow.http.HttpListener;
import dev.chatflow.http.Request;
import dev.chatflow.server.vitals.Vitals;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the admin listener answers: metrics, statistics, readiness, health, settings, drain and the
 * end of a user's connections, on a port of their own, which answers while the main one is
 * saturated. Any thread.
 */
public final class AdminAnswers implements HttpListener.Answers {

  private static final Pattern CLOSE = Pattern.compile("/users/([^/]+)/close");

  private final Answers answers;
  private final Map<String, String> settings;
  private final Runnable drain;
  private final ToIntFunction<String> closeUser;

  /**
   * Makes them.
   *
   * @param settings every key with the value in force, secrets masked
   * @param drain what {@code POST /drain} does; the answer is sent when it returns
   * @param closeUser closes the connections of a user on this server, and counts them
   */
  public AdminAnswers(
      Vitals vitals,
      Map<String, String> settings,
      Runnable drain,
      ToIntFunction<String> closeUser) {
    this.answers = new Answers(vitals);
    this.settings = Map.copyOf(settings);
    this.drain = drain;
    this.closeUser = closeUser;
  }

  @Override
  public Answer answer(Request request) {
    String path = request.uri().getPath();
    Matcher close = CLOSE.matcher(path);
    boolean acts = path.equals("/drain") || close.matches();
    if (!request.method().equals(acts ? "POST" : "GET")) {
      return Answer.methodNotAllowed(request.method(), acts ? "POST" : "GET, HEAD");
    }
    if (acts && !request.local()) {
      return Answer.forbidden("POST " + path + " is taken from this machine alone");
    }
    return switch (path) {
      case "/metrics" -> answers.metrics(request.accept());
      case "/api/stats" -> answers.stats();
      case "/ready" -> answers.ready();
      case "/health" -> answers.health();
      case "/settings" -> Answer.ok(new TreeMap<>(settings));
      case "/drain" -> drained();
      default -> close.matches() ? closed(close.group(1)) : nothing();
    };
  }

  private static Answer nothing() {
    return Answer.notFound(
        "/metrics, /api/stats, /ready, /health, /settings, POST /drain and POST /users/{userId}/close");
  }

  private Answer drained() {
    drain.run();
    return answers.health();
  }

  private Answer closed(String userId) {
    return Answer.ok(Map.of("closed", closeUser.applyAsInt(userId)));
  }
}
