package dev.chatflow.support;

import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks the origin of requests to a listener: programs and its own pages are allowed. A page from
 * elsewhere, shown by a browser on this machine, must neither stop a server nor read figures. A
 * {@code GET} without an origin, as a browser sends for an image, is answered; the browser hides
 * the answer from the page.
 *
 * <p>Stateless.
 */
final class OriginCheck {

  private OriginCheck() {}

  /**
   * Returns why a request must be rejected.
   *
   * @param origins the request's {@code Origin} lines; none for a program
   * @param host its {@code Host}, or null
   * @param scheme the listener's scheme
   * @param bound the address the listener is bound to
   * @param reached the local address and port at which the request arrived
   * @return the reason, or null if it may be answered
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
      return "this listener is bound to loopback: use localhost as the host name";
    }
    boolean ours = origins.stream().allMatch(origin -> isOwnOrigin(origin, scheme, reached));
    return ours ? null : "pages of another origin may not use this listener";
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

  /**
   * Returns whether a request comes from this machine: over loopback, or from the address it
   * arrived at.
   */
  static boolean isLocal(InetSocketAddress peer, InetSocketAddress reached) {
    return peer.getAddress().isLoopbackAddress() || peer.getAddress().equals(reached.getAddress());
  }
}
