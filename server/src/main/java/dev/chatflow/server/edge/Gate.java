package dev.chatflow.server.edge;

import dev.chatflow.identity.Access;
import dev.chatflow.identity.Credentials;
import dev.chatflow.identity.Identity;
import dev.chatflow.identity.TokenVerdict;
import dev.chatflow.message.ClientMessage;
import dev.chatflow.message.ErrorCode;
import dev.chatflow.message.ErrorFrame;
import dev.chatflow.message.UserIds;
import dev.chatflow.room.CloseReason;
import dev.chatflow.support.HostHeader;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one door: who asks, and whether he may. Every way in asks here, and nothing behind it does
 * again.
 *
 * <p>Any thread; a request with a token costs the check of its signature.
 */
public final class Gate {

  /** What became of a request at the door. */
  public sealed interface Entry {}

  /** Who asks, known by his token or not, by way of no foreign page. */
  public sealed interface Caller extends Entry {

    /** Of the client itself, behind whatever proxies of ours. */
    String address();

    /** Of the page that asks, null for a program. */
    @Nullable String origin();
  }

  /**
   * Somebody who may come in, to where his identity may be.
   *
   * @param identity that of his token; anybody where none is asked for
   */
  public record Visitor(String address, @Nullable String origin, Identity identity)
      implements Caller {

    /** Whether limits are not for him: a service speaks for many. */
    boolean isExempt() {
      return identity.isService();
    }
  }

  /** Somebody whose token is missing or not good. */
  public record Stranger(String address, @Nullable String origin, TokenVerdict.Unknown verdict)
      implements Caller {}

  /**
   * A request that must not be answered: the page it comes from is foreign, or it is one too many.
   *
   * @param page whether a page is refused, which is shown no status of a handshake
   */
  public record Refused(ErrorFrame error, boolean page) implements Entry {}

  private static final Logger log = LoggerFactory.getLogger(Gate.class);

  private final OriginWarnings warnings = new OriginWarnings();
  private final TrustedProxies proxies;
  private final Origins origins;
  private final Access access;
  private final UserIds userIds;
  private final Clock clock;

  /** The two clocks of a gate, called by any thread. */
  public interface Clock {

    /** The wall clock, in ms since 1970. */
    long millis();

    /** For intervals, as {@link System#nanoTime}. */
    long nanos();
  }

  /**
   * Makes the door of a server.
   *
   * @param userIds who may be a user
   */
  public Gate(
      TrustedProxies proxies, Origins origins, Access access, UserIds userIds, Clock clock) {
    this.proxies = proxies;
    this.origins = origins;
    this.access = access;
    this.userIds = userIds;
    this.clock = clock;
  }

  /** Judges a request by its address, its token, and the page it comes from. */
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

  /** The refusal of a request for a file of the page, one too many of its address; or null. */
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

  /** Why somebody may not send this, as the user it names; or null when he may. */
  public @Nullable String refusalAs(Identity identity, ClientMessage message) {
    String user = message.userId();
    return access.isDenied(user)
        ? "user " + user + " is not let in any more"
        : identity.refusalAs(user, message.username());
  }

  /**
   * Why somebody who was let in must go now, or null.
   *
   * @param user who he joined as, or empty
   */
  @Nullable CloseReason ended(Identity identity, String user) {
    if (access.isRevoked(identity) || access.isDenied(user)) {
      return CloseReason.NO_ACCESS;
    }
    return identity.isExpiredAt(clock.millis()) ? CloseReason.EXPIRED : null;
  }

  /** Whether nobody is asked for a token: anybody may be anybody. */
  public boolean isOpen() {
    return access.isOpen();
  }

  private static @Nullable String token(HttpServletRequest request) {
    return Credentials.token(
        lines(request, "Authorization"), lines(request, "Sec-WebSocket-Protocol"));
  }

  /** Where a request was meant to go. Who speaks plainly to us may have come to a proxy by TLS. */
  private Origins.Target target(HttpServletRequest request) {
    boolean trusted = proxies.isTrusted(request.getRemoteAddr());
    String scheme = trusted ? scheme(request.getHeader("X-Forwarded-Proto")) : null;
    return new Origins.Target(
        request.getHeader("Host"),
        scheme == null && request.isSecure() ? "https" : scheme,
        trusted ? port(request.getHeader("X-Forwarded-Port")) : null,
        HostHeader.isThisMachine(HostHeader.literal(request.getLocalAddr())));
  }

  /** Some proxies name a WebSocket's own. */
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
