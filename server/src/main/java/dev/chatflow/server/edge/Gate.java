package dev.chatflow.server.edge;

import dev.chatflow.http.HostHeader;
import dev.chatflow.message.ErrorCode;
import dev.chatflow.server.edge.admission.Origins;
import dev.chatflow.server.edge.admission.TrustedProxies;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The one door: who asks, and whether he may. Every way in asks here, and nothing behind it does
 * again.
 *
 * <p>Immutable; any thread.
 */
public final class Gate {

  /** What became of a request at the door. */
  public sealed interface Entry {}

  /**
   * Somebody who may come in.
   *
   * @param address of the client itself, behind whatever proxies of ours
   * @param origin of the page that asks, null for a program
   */
  public record Visitor(String address, @Nullable String origin) implements Entry {}

  /** A request that must not be answered; {@code text} says why and what to do. */
  public record Refused(ErrorCode code, String text) implements Entry {}

  private final TrustedProxies proxies;
  private final Origins origins;

  public Gate(TrustedProxies proxies, Origins origins) {
    this.proxies = proxies;
    this.origins = origins;
  }

  /** Who asks, or why he is sent away. */
  public Entry enter(HttpServletRequest request) {
    List<String> origin = lines(request, "Origin");
    String refusal = origins.refusal(origin, target(request));
    if (refusal != null) {
      return new Refused(ErrorCode.FORBIDDEN, refusal);
    }
    String address = proxies.client(request.getRemoteAddr(), lines(request, "X-Forwarded-For"));
    return new Visitor(address, origin.isEmpty() ? null : origin.getFirst());
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
