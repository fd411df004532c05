package dev.chatflow.server.edge;

import dev.chatflow.identity.Access;
import dev.chatflow.identity.Credentials;
import dev.chatflow.identity.Identity;
import dev.chatflow.identity.TokenVerdict;
import dev.chatflow.message.ClientMessage;
import dev.chatflow.message.ClientRules;
import dev.chatflow.message.ErrorCode;
import dev.chatflow.message.ErrorFrame;
import dev.chatflow.message.UserIds;
import dev.chatflow.room.CloseReason;
import dev.chatflow.room.RoomId;
import dev.chatflow.support.HostHeader;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Identifies and checks the client of every request. All entry points call it, and nothing behind
 * it checks again.
 *
 * <p>Thread-safe; a request with a token costs the verification of its signature.
 */
public final class Gate {

  /** The result of a check. */
  public sealed interface Entry {}

  /** A client whose request comes from no foreign page, with or without a valid token. */
  public sealed interface Caller extends Entry {

    /** Returns the address of the client itself, behind any trusted proxies. */
    String address();

    /** Returns the origin of the page that sends the request, null for a program. */
    @Nullable String origin();
  }

  /**
   * A client that may act within its identity.
   *
   * @param identity from its token; any user if no tokens are used
   */
  public record Visitor(String address, @Nullable String origin, Identity identity)
      implements Caller {

    /** Returns whether limits do not apply: a service acts for many users. */
    boolean isExempt() {
      return identity.isService();
    }

    /**
     * Returns what is accepted from the visitor in a room.
     *
     * @param usual what is accepted from every client
     */
    public ClientRules rules(RoomId room, ClientRules usual) {
      return identity.moderates(room) ? usual.ofModerator() : usual;
    }
  }

  /** A client whose token is missing or invalid. */
  public record Stranger(String address, @Nullable String origin, TokenVerdict.Unknown verdict)
      implements Caller {}

  /**
   * A request that must be rejected: its page is foreign, or its address exceeds a limit.
   *
   * @param page whether a page is rejected, which cannot see the status of a handshake
   */
  public record Refused(ErrorFrame error, boolean page) implements Entry {}

  private static final Logger log = LoggerFactory.getLogger(Gate.class);

  private final OriginWarnings warnings = new OriginWarnings();
  private final TrustedProxies proxies;
  private final Origins origins;
  private final Access access;
  private final UserIds userIds;
  private final Clock clock;

  /** The two clocks of a gate. Thread-safe. */
  public interface Clock {

    /** Returns the wall clock, in ms since 1970. */
    long millis();

    /** Returns a clock for intervals, as {@link System#nanoTime}. */
    long nanos();
  }

  /**
   * Creates the gate of a server.
   *
   * @param userIds the accepted user ids
   */
  public Gate(
      TrustedProxies proxies, Origins origins, Access access, UserIds userIds, Clock clock) {
    this.proxies = proxies;
    this.origins = origins;
    this.access = access;
    this.userIds = userIds;
    this.clock = clock;
  }

  /** Checks a request by its address, its token, and the page it comes from. */
  public Entry enter(HttpServletRequest request) {
    String address = address(request);
    TokenVerdict verdict = access.judge(address, token(request), clock.millis(), clock.nanos());
    List<String> named = lines(request, "Origin");
    String refusal = origins.refusal(named, target(request));
    String origin = named.isEmpty() ? null : named.getFirst();
    return switch (verdict) {
      case TokenVerdict.TooMany(long wait) -> tooMany(wait);
      case TokenVerdict _ when refusal != null -> foreign(refusal, origin);
      case TokenVerdict.Unknown unknown -> new Stranger(address, origin, unknown);
      case TokenVerdict.Known(Identity identity) -> {
        String why = identity.refusalBy(userIds);
        yield why == null
            ? new Visitor(address, origin, identity)
            : new Stranger(address, origin, new TokenVerdict.Unknown(why, false));
      }
    };
  }

  private Refused foreign(String refusal, @Nullable String origin) {
    if (origin != null && warnings.take(origin, clock.nanos())) {
      log.warn("{} (reported once an hour for each origin)", refusal);
    }
    return new Refused(refusal(ErrorCode.FORBIDDEN, refusal), origin != null);
  }

  /**
   * Returns the rejection of a request for a file of the page that exceeds the limit of its
   * address; or null.
   */
  public @Nullable ErrorFrame refusalOfFile(HttpServletRequest request) {
    long wait = access.waitForFile(address(request), clock.nanos());
    return wait == 0 ? null : tooMany(wait).error();
  }

  private Refused tooMany(long waitMillis) {
    return new Refused(
        refusal(ErrorCode.RATE_LIMITED, TokenVerdict.TooMany.TEXT).retryAfter(waitMillis), false);
  }

  private ErrorFrame refusal(ErrorCode code, String text) {
    return ErrorFrame.refusal(code, text, null, clock.millis());
  }

  private String address(HttpServletRequest request) {
    return proxies.client(request.getRemoteAddr(), lines(request, "X-Forwarded-For"));
  }

  /** Returns why the identity may not send this as the named user; or null. */
  public @Nullable String refusalAs(Identity identity, ClientMessage message) {
    String user = message.userId();
    return access.isDenied(user)
        ? "user " + user + " has no access any more"
        : identity.refusalAs(user, message.username());
  }

  /**
   * Returns why an accepted client must be closed now, or null.
   *
   * @param user the joined user, or empty
   */
  @Nullable CloseReason ended(Identity identity, String user) {
    if (access.isRevoked(identity) || access.isDenied(user)) {
      return CloseReason.NO_ACCESS;
    }
    return identity.isExpiredAt(clock.millis()) ? CloseReason.EXPIRED : null;
  }

  /** Returns whether access needs no token. */
  public boolean isOpen() {
    return access.isOpen();
  }

  private static @Nullable String token(HttpServletRequest request) {
    return Credentials.token(
        lines(request, "Authorization"), lines(request, "Sec-WebSocket-Protocol"));
  }

  /**
   * Returns the target of a request. A client that reaches the server without TLS may have used TLS
   * to a proxy.
   */
  private Origins.Target target(HttpServletRequest request) {
    boolean trusted = proxies.isTrusted(request.getRemoteAddr());
    String scheme = trusted ? scheme(request.getHeader("X-Forwarded-Proto")) : null;
    return new Origins.Target(
        request.getHeader("Host"),
        scheme == null && request.isSecure() ? "https" : scheme,
        trusted ? port(request.getHeader("X-Forwarded-Port")) : null,
        HostHeader.isThisMachine(HostHeader.literal(request.getLocalAddr())));
  }

  /** Parses a scheme; some proxies send a WebSocket scheme. */
  private static @Nullable String scheme(@Nullable String text) {
    return text == null ? null : text.toLowerCase(Locale.ROOT).replaceFirst("^ws", "http");
  }

  private static @Nullable Integer port(@Nullable String text) {
    return text != null && text.matches("[0-9]{1,5}") ? Integer.valueOf(text) : null;
  }

  private static List<String> lines(HttpServletRequest request, String header) {
    return Collections.list(request.getHeaders(header));
  }
}
