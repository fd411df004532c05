package dev.chatflow.server.http;

import dev.chatflow.http.Answer;
import dev.chatflow.message.ErrorCode;
import dev.chatflow.message.ErrorFrame;
import dev.chatflow.room.RoomId;
import dev.chatflow.server.edge.Gate;
import dev.chatflow.server.edge.ServletAnswer;
import dev.chatflow.server.vitals.Vitals;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * {@code /health}, {@code /ready}, {@code /metrics} where it is public, and the queries below
 * {@code /api}; hands a room's messages to {@link PublishHandler} and {@link PastHandler}.
 */
public final class ApiServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  private static final String ROOMS = "/api/rooms";
  private static final String MESSAGES = "/messages";
  private static final Gate.Visitor NOBODY = new Gate.Visitor("", null);

  private final transient Answers answers;
  private final transient PublishHandler publish;
  private final transient PastHandler past;
  private final transient Gate gate;
  private final boolean metricsPublic;

  /** Makes the servlet; map it to {@link #paths}. */
  public ApiServlet(
      Vitals vitals, PublishHandler publish, PastHandler past, Gate gate, boolean metricsPublic) {
    this.gate = gate;
    this.answers = new Answers(vitals);
    this.publish = publish;
    this.past = past;
    this.metricsPublic = metricsPublic;
  }

  /** The URL patterns it serves. */
  public String[] paths() {
    return new String[] {"/health", "/ready", "/metrics", "/api/*"};
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (request.getServletPath().equals("/health") || request.getServletPath().equals("/ready")) {
      serve(NOBODY, request, response); // balancers ask by whatever name
      return;
    }
    switch (gate.enter(request)) {
      case Gate.Refused(ErrorCode code, String text) -> refuse(code, text, response);
      case Gate.Visitor visitor when isPreflight(visitor, request) -> preflight(visitor, response);
      case Gate.Visitor visitor -> serve(visitor, request, response);
    }
  }

  private static boolean isPreflight(Gate.Visitor visitor, HttpServletRequest request) {
    return visitor.origin() != null
        && request.getMethod().equals("OPTIONS")
        && request.getHeader("Access-Control-Request-Method") != null;
  }

  private static void preflight(Gate.Visitor visitor, HttpServletResponse response) {
    share(visitor, response);
    response.setStatus(HttpServletResponse.SC_NO_CONTENT);
    response.setHeader("Access-Control-Allow-Methods", "GET, HEAD, POST");
    response.setHeader("Access-Control-Allow-Headers", "Content-Type, " + PostRequest.KEY);
    response.setHeader("Access-Control-Max-Age", "600");
  }

  /** The page that asks may read the answer: the gate let it in. */
  private static void share(Gate.Visitor visitor, HttpServletResponse response) {
    if (visitor.origin() != null) {
      response.setHeader("Access-Control-Allow-Origin", visitor.origin());
      response.setHeader("Access-Control-Expose-Headers", "Retry-After");
      response.setHeader("Vary", "Origin");
    }
  }

  private void serve(Gate.Visitor visitor, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    share(visitor, response);
    String path = path(request);
    String room = messagesOf(path);
    String method = request.getMethod();
    boolean reads = method.equals("GET") || method.equals("HEAD");
    if (room != null && method.equals("POST")) {
      publish.post(room, visitor, request, response);
    } else if (room != null && reads) {
      past.get(room, request, response);
    } else if (reads) {
      get(path, request.getHeader("Accept"), response);
    } else {
      String allowed = room == null ? "GET, HEAD" : "GET, HEAD, POST";
      response.setHeader("Allow", allowed);
      String text = method + " is not possible here; allowed: " + allowed;
      refuse(ErrorCode.METHOD_NOT_ALLOWED, text, response);
    }
  }

  /** The room whose messages a path is about, well-formed or not; null when it is about others. */
  private static @Nullable String messagesOf(String path) {
    boolean messages =
        path.startsWith(ROOMS + "/")
            && path.endsWith(MESSAGES)
            && path.length() > ROOMS.length() + MESSAGES.length();
    return messages ? path.substring(ROOMS.length() + 1, path.length() - MESSAGES.length()) : null;
  }

  private static void write(Answer answer, HttpServletResponse response) throws IOException {
    response.setStatus(answer.status());
    response.setContentType(answer.contentType());
    response.setHeader("Cache-Control", "no-store");
    response.getOutputStream().write(answer.body().getBytes(StandardCharsets.UTF_8));
  }

  private static void refuse(ErrorCode code, String text, HttpServletResponse response)
      throws IOException {
    ServletAnswer.refuse(
        ErrorFrame.refusal(code, text, null, System.currentTimeMillis()), response);
  }

  private static void nothing(String paths, HttpServletResponse response) throws IOException {
    refuse(ErrorCode.NOT_FOUND, "nothing here; there is " + paths, response);
  }

  private void get(String path, @Nullable String accept, HttpServletResponse response)
      throws IOException {
    switch (path) {
      case "/health" -> write(answers.health(), response);
      case "/ready" -> write(answers.ready(), response);
      case "/api/stats" -> write(answers.stats(), response);
      case ROOMS -> write(answers.rooms(), response);
      case "/metrics" -> metrics(accept, response);
      default -> room(path, response);
    }
  }

  private void metrics(@Nullable String accept, HttpServletResponse response) throws IOException {
    if (metricsPublic) {
      write(answers.metrics(accept), response);
    } else {
      nothing(
          "/metrics on the admin listener; CHATFLOW_METRICS_PUBLIC=true serves it here", response);
    }
  }

  private void room(String path, HttpServletResponse response) throws IOException {
    if (!path.startsWith(ROOMS + "/")) {
      nothing(
          "/api/rooms, /api/rooms/{roomId}, /api/rooms/{roomId}/messages, /api/stats", response);
      return;
    }
    String id = path.substring(ROOMS.length() + 1);
    if (RoomId.isValid(id)) {
      write(answers.room(id), response);
    } else {
      refuse(ErrorCode.BAD_ROOM, PostRequest.BAD_ROOM, response);
    }
  }

  private static String path(HttpServletRequest request) {
    String info = request.getPathInfo();
    return request.getServletPath() + (info == null ? "" : info);
  }
}
