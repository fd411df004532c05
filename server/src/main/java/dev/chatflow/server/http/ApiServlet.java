package dev.chatflow.server.http;

import dev.chatflow.identity.Identity;
import dev.chatflow.message.ErrorCode;
import dev.chatflow.message.ErrorFrame;
import dev.chatflow.room.RoomId;
import dev.chatflow.server.edge.Gate;
import dev.chatflow.server.edge.ServletAnswer;
import dev.chatflow.server.publish.Vitals;
import dev.chatflow.support.Answer;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Serves {@code /health}, {@code /ready}, {@code /metrics} where it is public, and the queries
 * below {@code /api}. Passes a room's messages to {@link PublishHandler} and {@link PastHandler},
 * and presence to {@link PresenceHandler}.
 */
public final class ApiServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  private static final String ROOMS = "/api/rooms";
  private static final String STATS = "/api/stats";
  private static final Pattern OF_USER = Pattern.compile(ROOMS + "/([^/]+)/(members|mutes)/(.*)");
  private static final String MESSAGES = "/messages";
  private static final Gate.Visitor ANYBODY = new Gate.Visitor("", null, Identity.ANYBODY);

  private final transient Answers answers;
  private final transient PublishHandler publish;
  private final transient PastHandler past;
  private final transient PresenceHandler presence;
  private final transient Gate gate;
  private final boolean metricsPublic;

  /** Creates the servlet; map it to {@link #paths}. */
  public ApiServlet(
      Vitals vitals,
      PublishHandler publish,
      PastHandler past,
      PresenceHandler presence,
      Gate gate,
      boolean metricsPublic) {
    this.gate = gate;
    this.answers = new Answers(vitals);
    this.publish = publish;
    this.past = past;
    this.presence = presence;
    this.metricsPublic = metricsPublic;
  }

  /** Returns the URL patterns it serves. */
  public String[] paths() {
    return new String[] {"/health", "/ready", "/metrics", "/api/*"};
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    ServletAnswer.negotiate(request, response);
    String path = request.getServletPath();
    if (path.equals("/health") || path.equals("/ready")) {
      serve(ANYBODY, request, response); // balancers use any host name
      return;
    }
    switch (gate.enter(request)) {
      case Gate.Refused(ErrorFrame error, boolean _) -> refuse(error, request, response);
      case Gate.Caller caller when isPreflight(caller, request) -> preflight(caller, response);
      case Gate.Caller _ when path.equals("/metrics") -> serve(ANYBODY, request, response);
      case Gate.Stranger stranger -> reject(stranger, request, response);
      case Gate.Visitor visitor -> serve(visitor, request, response);
    }
  }

  private void reject(
      Gate.Stranger stranger, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    share(stranger, response);
    response.setHeader("WWW-Authenticate", "Bearer");
    refuse(ErrorCode.UNAUTHORIZED, stranger.verdict().why(), request, response);
  }

  private static boolean isPreflight(Gate.Caller caller, HttpServletRequest request) {
    return caller.origin() != null
        && request.getMethod().equals("OPTIONS")
        && request.getHeader("Access-Control-Request-Method") != null;
  }

  private static void preflight(Gate.Caller caller, HttpServletResponse response) {
    share(caller, response);
    response.setStatus(HttpServletResponse.SC_NO_CONTENT);
    response.setHeader("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, DELETE");
    response.setHeader(
        "Access-Control-Allow-Headers", "Authorization, Content-Type, " + PostRequest.KEY);
    response.setHeader("Access-Control-Max-Age", "600");
  }

  /** Allows the requesting page to read the response, because the gate accepted it. */
  private static void share(Gate.Caller caller, HttpServletResponse response) {
    if (caller.origin() != null) {
      response.setHeader("Access-Control-Allow-Origin", caller.origin());
      response.setHeader("Access-Control-Expose-Headers", "Location, Retry-After");
      response.setHeader("Vary", "Origin");
    }
  }

  private void serve(Gate.Visitor visitor, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    share(visitor, response);
    String path = path(request);
    String room = messagesOf(path);
    Matcher ofUser = OF_USER.matcher(path);
    String method = request.getMethod();
    boolean reads = method.equals("GET") || method.equals("HEAD");
    String closed = refusalOf(roomOf(path), visitor);
    if (closed != null) {
      refuse(ErrorCode.FORBIDDEN, closed, request, response);
    } else if (ofUser.matches()) {
      moderate(ofUser, visitor, request, response);
    } else if (room != null && method.equals("POST")) {
      publish.post(room, visitor, request, response);
    } else if (room != null && reads) {
      past.get(room, request, response);
    } else if (reads) {
      get(path, visitor, request, response);
    } else {
      refuseMethod(method, room == null ? "GET, HEAD" : "GET, HEAD, POST", response);
    }
  }

  private void moderate(
      Matcher path, Gate.Visitor visitor, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String room = path.group(1);
    String user = path.group(3);
    boolean mutes = path.group(2).equals("mutes");
    String method = request.getMethod();
    if (!RoomId.isValid(room)) {
      refuse(ErrorCode.BAD_ROOM, PostRequest.BAD_ROOM, response);
    } else if (mutes && (method.equals("PUT") || method.equals("DELETE"))) {
      publish.mute(new RoomId(room), user, visitor, request, response);
    } else if (!mutes && method.equals("DELETE")) {
      presence.remove(new RoomId(room), user, visitor.identity(), request, response);
    } else {
      refuseMethod(method, mutes ? "PUT, DELETE" : "DELETE", response);
    }
  }

  private static void refuseMethod(String method, String allowed, HttpServletResponse response)
      throws IOException {
    response.setHeader("Allow", allowed);
    String text = method + " is not supported here; allowed: " + allowed;
    refuse(ErrorCode.METHOD_NOT_ALLOWED, text, response);
  }

  private static @Nullable String refusalOf(String room, Gate.Visitor visitor) {
    return RoomId.isValid(room) ? visitor.identity().refusalOf(new RoomId(room)) : null;
  }

  /** Returns the room of a path, well-formed or not; empty if it has none. */
  private static String roomOf(String path) {
    String messages = messagesOf(path);
    if (messages != null || !path.startsWith(ROOMS + "/")) {
      return messages == null ? "" : messages;
    }
    Matcher ofUser = OF_USER.matcher(path);
    return ofUser.matches() ? ofUser.group(1) : path.substring(ROOMS.length() + 1);
  }

  /** Returns the room whose messages a path requests, well-formed or not; null for other paths. */
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

  /** Rejects a request; a rejected post is counted as a post. */
  private void refuse(
      ErrorCode code, String text, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    refuse(ErrorFrame.refusal(code, text, null, System.currentTimeMillis()), request, response);
  }

  private void refuse(ErrorFrame error, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (request.getMethod().equals("POST")) {
      publish.refuse(error, response);
    } else {
      ServletAnswer.refuse(error, response);
    }
  }

  private static void refuse(ErrorCode code, String text, HttpServletResponse response)
      throws IOException {
    ServletAnswer.refuse(
        ErrorFrame.refusal(code, text, null, System.currentTimeMillis()), response);
  }

  private static void nothing(String paths, HttpServletResponse response) throws IOException {
    refuse(ErrorCode.NOT_FOUND, "not found; available: " + paths, response);
  }

  private void get(
      String path, Gate.Visitor visitor, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    switch (path) {
      case "/health" ->
          write(gate.isOpen() ? answers.health() : answers.healthForStrangers(), response);
      case "/ready" -> write(gate.isOpen() ? answers.ready() : answers.readyOrNot(), response);
      case STATS -> stats(response);
      case ROOMS -> presence.rooms(visitor.identity(), request, response);
      case "/metrics" -> metrics(request.getHeader("Accept"), response);
      default -> room(path, request, response);
    }
  }

  /** Sends the counters, which are only for operators if tokens are used. */
  private void stats(HttpServletResponse response) throws IOException {
    if (gate.isOpen()) {
      write(answers.stats(), response);
    } else {
      nothing(STATS + " on the admin listener", response);
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

  private void room(String path, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (!path.startsWith(ROOMS + "/")) {
      nothing(
          "/api/rooms, /api/rooms/{roomId}, /api/rooms/{roomId}/messages, /api/stats", response);
      return;
    }
    String id = roomOf(path);
    if (RoomId.isValid(id)) {
      presence.room(new RoomId(id), request, response);
    } else {
      refuse(ErrorCode.BAD_ROOM, PostRequest.BAD_ROOM, response);
    }
  }

  private static String path(HttpServletRequest request) {
    String info = request.getPathInfo();
    return request.getServletPath() + (info == null ? "" : info);
  }
}
