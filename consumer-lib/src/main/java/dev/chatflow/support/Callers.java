package dev.chatflow.support;

import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who may ask a listener: programs, and pages of its own. A page from elsewhere, which a browser on
 * this machine shows, must neither stop a server nor read figures. A {@code GET} that names no
 * origin, as a browser sends for an image, is answered; the browser keeps the answer from the page.
 *
 * <p>Stateless.
 */
final class Callers {

  private Callers() {}

  /**
   * Why a request must not be answered.
   *
   * @param origins the request's {@code Origin} lines; none: a program
   * @param host its {@code Host}, or null
   * @param scheme by which the listener is asked
   * @param bound where the listener is bound
   * @param reached the address and port of ours by which the request came
   * @return what was wrong, or null when it may be answered
   */
  static @Nullable String refusal(
      List<String> origins,
      @Nullable String host,
      String scheme,
      InetSocketAddress bound,
      InetSocketAddress reached) {
    if (bound.getAddress().isLoopbackAddress()
        && host != null
        && !HostHeader.isThisMachine(HostHeader.name(host))) {
      return "this listener is bound to loopback: ask it as localhost, not by another Host";
    }
    boolean ours = origins.stream().allMatch(origin -> isOwnOrigin(origin, scheme, reached));
    return ours ? null : "pages of another origin may not ask this listener";
  }

  private static boolean isOwnOrigin(String origin, String scheme, InetSocketAddress reached) {
    String begin = scheme + "://";
    String page = origin.startsWith(begin) ? origin.substring(begin.length()) : "";
    String name = HostHeader.name(page);
    String usual = scheme.equals("https") ? ":443" : ":80";
    String port = page.equalsIgnoreCase(name) ? usual : page.substring(name.length());
    return port.equals(":" + reached.getPort())
        && (HostHeader.isThisMachine(name)
            || name.equals(HostHeader.literal(reached.getAddress().getHostAddress())));
  }

  /** Whether a request comes from this machine: over loopback, or from the address it came to. */
  static boolean isLocal(InetSocketAddress peer, InetSocketAddress reached) {
    return peer.getAddress().isLoopbackAddress() || peer.getAddress().equals(reached.getAddress());
  }
}
