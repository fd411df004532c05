package dev.chatflow.server.edge;

import dev.chatflow.message.ErrorCode;
import dev.chatflow.message.ErrorFrame;
import dev.chatflow.room.RoomId;
import dev.chatflow.server.edge.tomcat.Sinks;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.Extension;
import jakarta.websocket.HandshakeResponse;
import jakarta.websocket.server.HandshakeRequest;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpointConfig;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What happens before the upgrade: a filter that refuses bad rooms, what the {@link Gate} refuses
 * and a server that is not ready, and the endpoint's configurator, which notes where the client
 * comes from.
 *
 * <p>Thread-safe. The filter and the configurator of one handshake run on one thread.
 */
public final class Handshake extends ServerEndpointConfig.Configurator implements Filter {

  private static final String PREFIX = "/chat/";

  /**
   * Buffer per connection for text in pieces, in characters; longer messages are gathered from
   * several.
   */
  static final int TEXT_BUFFER = 256;

  /**
   * Buffer per connection for binary messages, in bytes: the first piece of one ends the
   * connection.
   */
  private static final int BINARY_BUFFER = 16;

  /** When a server that is closed to newcomers may be asked again. */
  private static final long RETRY_MILLIS = 1_000;

  private final SessionRegistry sessions;
  private final SessionContext context;
  private final Sinks sinks;
  private final Gate gate;
  private final Failures failures = new Failures();
  private final Supplier<@Nullable String> closedBecause;
  private final ThreadLocal<Came> came = ThreadLocal.withInitial(() -> new Came("", 0));

  /** Where a client is, and the port of ours by which it came. */
  record Came(String clientIp, int port) {}

  /**
   * Makes the handshake of a server.
   *
   * @param gate asked before each upgrade
   * @param sinks makes each connection's way out
   * @param closedBecause such as {@code starting} or {@code draining}; null while connections are
   *     let in
   */
  public Handshake(
      SessionRegistry sessions,
      SessionContext context,
      Sinks sinks,
      Gate gate,
      Supplier<@Nullable String> closedBecause) {
    this.gate = gate;
    this.sessions = sessions;
    this.context = context;
    this.sinks = sinks;
    this.closedBecause = closedBecause;
  }

  /** Registers filter and endpoint with the container of an application that starts. */
  public void register(ServletContext application) {
    FilterRegistration.Dynamic filter = application.addFilter("handshake", this);
    filter.setAsyncSupported(true);
    // In front of the container's own filter, which would take every upgrade first.
    filter.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, PREFIX + "*");
    ServerContainer sockets =
        (ServerContainer) application.getAttribute(ServerContainer.class.getName());
    sockets.setDefaultMaxTextMessageBufferSize(TEXT_BUFFER);
    sockets.setDefaultMaxBinaryMessageBufferSize(BINARY_BUFFER);
    try {
      sockets.addEndpoint(
          ServerEndpointConfig.Builder.create(ChatEndpoint.class, ChatEndpoint.PATH)
              .configurator(this)
              .build());
    } catch (DeploymentException e) {
      throw new IllegalStateException("the container takes no endpoint: " + e.getMessage(), e);
    }
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    HttpServletRequest http = (HttpServletRequest) request;
    HttpServletResponse answer = (HttpServletResponse) response;
    String room = room(http);
    if (!RoomId.isValid(room)) {
      context.meter().connectionRefused("bad room");
      String text = "room id must be " + RoomId.RULE;
      refuse(answer, ErrorCode.BAD_ROOM, text);
    } else if (!"websocket".equalsIgnoreCase(http.getHeader("Upgrade"))) {
      answer.setStatus(HttpServletResponse.SC_FOUND);
      answer.setHeader("Location", "../rooms/" + room);
    } else {
      upgrade(http, answer, chain);
    }
  }

  private void upgrade(HttpServletRequest request, HttpServletResponse answer, FilterChain chain)
      throws IOException, ServletException {
    String reason = closedBecause.get();
    switch (gate.enter(request)) {
      case Gate.Refused(ErrorCode code, String text) -> {
        context.meter().connectionRefused("origin");
        refuse(answer, code, text);
      }
      case Gate.Visitor _ when reason != null -> {
        context.meter().connectionRefused(reason);
        ServletAnswer.refuse(
            ErrorFrame.refusal(
                    ErrorCode.SERVICE_UNAVAILABLE,
                    "the server is " + reason + ": try another, or again later",
                    null,
                    System.currentTimeMillis())
                .retryAfter(RETRY_MILLIS),
            answer);
      }
      case Gate.Visitor visitor -> letIn(visitor, request, answer, chain);
    }
  }

  private void letIn(
      Gate.Visitor visitor,
      HttpServletRequest request,
      HttpServletResponse answer,
      FilterChain chain)
      throws IOException, ServletException {
    context.lanes().use(new RoomId(room(request))); // attached by the time the JOIN comes
    came.set(new Came(visitor.address(), request.getLocalPort()));
    try {
      chain.doFilter(request, answer);
    } finally {
      came.remove();
    }
  }

  private static String room(HttpServletRequest request) {
    String info = request.getPathInfo();
    String path = request.getServletPath() + (info == null ? "" : info);
    return path.startsWith(PREFIX) ? path.substring(PREFIX.length()) : "";
  }

  private static void refuse(HttpServletResponse answer, ErrorCode code, String text)
      throws IOException {
    ServletAnswer.refuse(ErrorFrame.refusal(code, text, null, System.currentTimeMillis()), answer);
  }

  /** None: permessage-deflate would compress every broadcast once per member. */
  @Override
  public List<Extension> getNegotiatedExtensions(
      List<Extension> installed, List<Extension> requested) {
    return List.of();
  }

  @Override
  public <T> T getEndpointInstance(Class<T> type) {
    return type.cast(new ChatEndpoint(sessions, context, sinks, failures));
  }

  @Override
  public void modifyHandshake(
      ServerEndpointConfig config, HandshakeRequest request, HandshakeResponse response) {
    config.getUserProperties().put(ChatEndpoint.CAME, came.get());
  }
}
