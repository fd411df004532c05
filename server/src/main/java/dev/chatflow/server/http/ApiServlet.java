package dev.chatflow.server.http;

import dev.chatflow.room.RoomId;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * {@code /health}, {@code /ready}, {@code /metrics} where it is public, and the queries below
 * {@code /api}.
 */
public final class ApiServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  private static final String ROOMS = "/api/rooms";
  private static final int BAD_REQUEST = 400;

  private final transient Answers answers;
  private final boolean metricsPublic;

  /** Makes the servlet; map it to {@link #paths}. */
  public ApiServlet(Vitals vitals, boolean metricsPublic) {
    this.answers = new Answers(vitals);
    this.metricsPublic = metricsPublic;
  }

  /** The URL patterns it serves. */
  public String[] paths() {
    return new String[] {"/health", "/ready", "/metrics", "/api/*"};
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Answers.Answer answer = answer(path(request), request.getHeader("Accept"));
    response.setStatus(answer.status());
    response.setContentType(answer.contentType());
    response.setHeader("Cache-Control", "no-store");
    response.getOutputStream().write(answer.body().getBytes(StandardCharsets.UTF_8));
  }

  private Answers.Answer answer(String path, String accept) {
    return switch (path) {
      case "/health" -> answers.health();
      case "/ready" -> answers.ready();
      case "/api/stats" -> answers.stats();
      case ROOMS -> answers.rooms();
      case "/metrics" ->
          metricsPublic
              ? answers.metrics(accept)
              : answers.notFound(
                  "/metrics on the admin listener; CHATFLOW_METRICS_PUBLIC=true serves it here");
      default -> room(path);
    };
  }

  private Answers.Answer room(String path) {
    if (!path.startsWith(ROOMS + "/")) {
      return answers.notFound("/api/rooms, /api/rooms/{roomId} and /api/stats");
    }
    String id = path.substring(ROOMS.length() + 1);
    return RoomId.isValid(id)
        ? answers.room(id)
        : answers.problem(BAD_REQUEST, "BAD_ROOM", "room id must be 1 to 64 of A-Z a-z 0-9 _ -");
  }

  private static String path(HttpServletRequest request) {
    String info = request.getPathInfo();
    return request.getServletPath() + (info == null ? "" : info);
  }
}
