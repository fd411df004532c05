package dev.chatflow.server.edge;

import dev.chatflow.identity.Credentials;
import dev.chatflow.message.ErrorCode;
import dev.chatflow.message.ErrorFrame;
import dev.chatflow.room.CloseReason;
import dev.chatflow.room.RoomId;
import dev.chatflow.server.sink.tomcat.Sinks;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.Extension;
import jakarta.websocket.HandshakeResponse;
import jakarta.websocket.server.HandshakeRequest;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpointConfig;
import java.io.IOException;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Enumeration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Handles requests before the upgrade. A filter rejects invalid rooms, clients rejected by the
 * {@link Gate}, and all clients while the server is not ready; the endpoint's configurator passes
 * on the client's identity. Foreign pages, and clients without a valid token, are upgraded and
 * closed with the reason.
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
   * connection. Tomcat also decodes text in pieces of this size.
   */
  private static final int BINARY_BUFFER = 64;

  /** Maximum bytes of the reason in a close frame, by RFC 6455. */
  private static final int MAX_CLOSE_TEXT = 123;

  /** Wait before a retry while the server accepts no new connections. */
  private static final long RETRY_MILLIS = 1_000;

  private final ConnectionRegistry connections;
  private final ConnectionContext context;
  private final Sinks sinks;
  private final Failures failures = new Failures();
  private final Supplier<@Nullable String> closedBecause;

  /** A connection that bypasses the filter is not served. */
  private final ThreadLocal<Arrival> arrival =
      ThreadLocal.withInitial(
          () -> new Arrival.Rejected(CloseReason.NO_ACCESS, CloseReason.NO_ACCESS.text()));

  /** The decision about an upgraded connection. */
  sealed interface Arrival {

    /** A client that is served, and the local port of its connection. */
    record Accepted(Gate.Visitor visitor, int port) implements Arrival {}

    /**
     * A client that is closed with a reason, because a browser does not show the status of a
     * handshake to its page.
     */
    record Rejected(CloseReason reason, String text) implements Arrival {}
  }

  /**
   * A request that answers for each header and lists none. Tomcat copies listed headers and keeps
   * them as long as the connection: 1.7 KB for the simplest client, more for a browser, including
   * the token.
   */
  private static final class Unlisted extends HttpServletRequestWrapper {
    Unlisted(HttpServletRequest request) {
      super(request);
    }

    @Override
    public Enumeration<String> getHeaderNames() {
      return Collections.emptyEnumeration();
    }
  }

  /**
   * Creates the handshake of a server.
   *
   * @param sinks creates each connection's sink
   * @param closedBecause such as {@code starting} or {@code draining}; null while connections are
   *     accepted
   */
  public Handshake(
      ConnectionRegistry connections,
      ConnectionContext context,
      Sinks sinks,
      Supplier<@Nullable String> closedBecause) {
    this.connections = connections;
    this.context = context;
    this.sinks = sinks;
    this.closedBecause = closedBecause;
  }

  /** Registers filter and endpoint with the container of a starting application. */
  public void register(ServletContext application) {
    FilterRegistration.Dynamic filter = application.addFilter("handshake", this);
    filter.setAsyncSupported(true);
    // In front of the container's own filter, which would handle every upgrade first.
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
      throw new IllegalStateException(
          "the container does not accept the endpoint: " + e.getMessage(), e);
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
    switch (context.gate().enter(request)) {
      case Gate.Refused(ErrorFrame error, boolean page) when page -> {
        Arrival.Rejected rejected =
            new Arrival.Rejected(CloseReason.FOREIGN_PAGE, withinAClose(error.text()));
        context.meter().connectionRefused("origin");
        upgrade(rejected, request, answer, chain);
      }
      case Gate.Refused(ErrorFrame error, boolean _) -> {
        boolean often = error.code() == ErrorCode.RATE_LIMITED;
        context.meter().connectionRefused(often ? "address" : "origin");
        ServletAnswer.refuse(error, answer);
      }
      case Gate.Caller _ when reason != null -> {
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
      case Gate.Caller caller -> {
        ErrorFrame tooMany = tooMany(caller);
        if (tooMany == null) {
          letIn(caller, request, answer, chain);
        } else {
          context.meter().connectionRefused("address");
          ServletAnswer.refuse(tooMany, answer);
        }
      }
    }
  }

  /** Returns the rejection for an address with too many connections; or null. */
  private @Nullable ErrorFrame tooMany(Gate.Caller caller) {
    boolean exempt = caller instanceof Gate.Visitor visitor && visitor.isExempt();
    return exempt || !context.addresses().isFull(caller.address())
        ? null
        : ErrorFrame.refusal(
                ErrorCode.RATE_LIMITED,
                ConnectionSlots.Refusal.ADDRESS.text(),
                null,
                context.timer().millis())
            .retryAfter(RETRY_MILLIS);
  }

  private void letIn(
      Gate.Caller caller, HttpServletRequest request, HttpServletResponse answer, FilterChain chain)
      throws IOException, ServletException {
    upgrade(
        arrival(caller, new RoomId(room(request)), request.getLocalPort()), request, answer, chain);
  }

  private void upgrade(
      Arrival come, HttpServletRequest request, HttpServletResponse answer, FilterChain chain)
      throws IOException, ServletException {
    arrival.set(come);
    try {
      chain.doFilter(new Unlisted(request), answer);
    } finally {
      arrival.remove();
    }
  }

  private Arrival arrival(Gate.Caller caller, RoomId room, int port) {
    return switch (caller) {
      case Gate.Stranger stranger -> {
        boolean expired = stranger.verdict().expired();
        yield rejected(
            expired ? CloseReason.EXPIRED : CloseReason.NO_ACCESS, stranger.verdict().why());
      }
      case Gate.Visitor visitor -> {
        String refusal = visitor.identity().refusalOf(room);
        if (refusal != null) {
          yield rejected(CloseReason.NO_ACCESS, refusal);
        }
        context.lanes().use(room); // attached by the time the JOIN arrives
        yield new Arrival.Accepted(visitor, port);
      }
    };
  }

  private Arrival rejected(CloseReason reason, String text) {
    context.meter().connectionRefused("token");
    return new Arrival.Rejected(reason, withinAClose(text));
  }

  /** Truncates an ASCII text to the maximum of a close frame. */
  private static String withinAClose(String text) {
    return text.substring(0, Math.min(text.length(), MAX_CLOSE_TEXT));
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

  /** Returns none: permessage-deflate would compress every broadcast once per member. */
  @Override
  public List<Extension> getNegotiatedExtensions(
      List<Extension> installed, List<Extension> requested) {
    return List.of();
  }

  /**
   * Selects the offered subprotocol, because a page that offers one to send its token fails if none
   * is selected.
   */
  @Override
  public String getNegotiatedSubprotocol(List<String> supported, List<String> requested) {
    return requested.contains(Credentials.SUBPROTOCOL) ? Credentials.SUBPROTOCOL : "";
  }

  @Override
  public <T> T getEndpointInstance(Class<T> type) {
    return type.cast(new ChatEndpoint(connections, context, sinks, failures));
  }

  @Override
  public void modifyHandshake(
      ServerEndpointConfig config, HandshakeRequest request, HandshakeResponse response) {
    config.getUserProperties().put(ChatEndpoint.ARRIVAL, arrival.get());
  }
}
