package dev.chatflow.server.http;

import dev.chatflow.server.publish.Vitals;
import dev.chatflow.support.Answer;
import dev.chatflow.support.HttpListener;
import dev.chatflow.support.Request;
import java.net.HttpURLConnection;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The responses of the admin listener: the operations page with its overview, metrics, statistics,
 * readiness, health, settings, drain, closing a user's connections, and the log level. They have a
 * separate port, which works while the main one is saturated. Thread-safe.
 */
public final class AdminAnswers implements HttpListener.Answers {

  private static final String OVERVIEW = "/overview";
  private static final Pattern CLOSE = Pattern.compile("/users/([^/]+)/close");
  private static final Pattern LEVEL = Pattern.compile("/log/([^/]+)");

  private final Vitals vitals;
  private final Answers answers;
  private final LogLevel level = new LogLevel();
  private final Map<String, String> settings;
  private final Runnable drain;
  private final ToIntFunction<String> closeUser;

  /**
   * Creates the responses.
   *
   * @param settings every key with its effective value, secrets masked
   * @param drain action of {@code POST /drain}; the response is sent when it returns
   * @param closeUser closes the connections of a user on this server, and counts them
   */
  public AdminAnswers(
      Vitals vitals,
      Map<String, String> settings,
      Runnable drain,
      ToIntFunction<String> closeUser) {
    this.vitals = vitals;
    this.answers = new Answers(vitals);
    this.settings = Map.copyOf(settings);
    this.drain = drain;
    this.closeUser = closeUser;
  }

  /**
   * Returns whether a request needs a token if tokens are used: requests that list rooms, and
   * actions of a page. Local programs need none to act.
   */
  public static boolean isGuarded(Request request) {
    return request.uri().getPath().equals(OVERVIEW)
        || (request.page() && request.method().equals("POST"));
  }

  @Override
  public Answer answer(Request request) {
    String path = request.uri().getPath();
    Supplier<Answer> act = act(path);
    String allowed = act == null ? "GET, HEAD" : "POST";
    if (!request.method().equals(act == null ? "GET" : "POST")) {
      return Answer.methodNotAllowed(request.method(), allowed);
    }
    if (act == null) {
      return answer(path, request.accept());
    }
    return request.local()
        ? act.get()
        : Answer.forbidden("POST " + path + " is accepted only from this machine");
  }

  private Answer answer(String path, @Nullable String accept) {
    return switch (path) {
      case "/metrics" -> answers.metrics(accept);
      case "/api/stats" -> answers.stats();
      case "/ready" -> answers.ready();
      case "/health" -> answers.health();
      case "/settings" -> Answer.ok(new TreeMap<>(settings));
      case OVERVIEW -> Answer.ok(vitals.overview());
      case "/log" -> Answer.ok(Map.of("level", level.now()));
      default -> {
        Answer file = OperationsPage.file(path.substring(1));
        yield file == null ? nothing() : file;
      }
    };
  }

  /** Returns the action of a path; null if it only reads. */
  private @Nullable Supplier<Answer> act(String path) {
    Matcher close = CLOSE.matcher(path);
    Matcher log = LEVEL.matcher(path);
    if (path.equals("/drain")) {
      return this::drained;
    }
    if (close.matches()) {
      return () -> Answer.ok(Map.of("closed", closeUser.applyAsInt(close.group(1))));
    }
    return log.matches() ? () -> logged(log.group(1)) : null;
  }

  private static Answer nothing() {
    return Answer.notFound(
        "/, /overview, /metrics, /api/stats, /ready, /health, /settings, /log, POST /drain,"
            + " POST /users/{userId}/close and POST /log/{level}");
  }

  private Answer drained() {
    drain.run();
    return answers.health();
  }

  private Answer logged(String wanted) {
    return level.set(wanted)
        ? Answer.ok(Map.of("level", level.now()))
        : Answer.problem(
            HttpURLConnection.HTTP_BAD_REQUEST,
            "BAD_LEVEL",
            "the level must be one of " + String.join(", ", LogLevel.NAMES));
  }
}
