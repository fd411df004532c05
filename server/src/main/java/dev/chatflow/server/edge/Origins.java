package dev.chatflow.server.edge;

import dev.chatflow.support.HostHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The pages that may use this server: its own always, others as configured.
 *
 * <p>A browser names the origin of the page that sends a request; programs name none. Immutable and
 * thread-safe.
 *
 * @param any whether every page is allowed
 * @param listed further allowed origins; a host may begin with {@code *.}
 * @param local whether the server is bound to loopback. {@code Host} must then name this machine or
 *     a listed origin, which prevents DNS rebinding
 */
public record Origins(boolean any, List<Origin> listed, boolean local) {

  private static final String SAME = "same";
  private static final String ANY = "*";

  /** Allows only the server's own pages. */
  public static final Origins OWN = new Origins(false, List.of(), false);

  /**
   * Scheme, host and port of a page.
   *
   * @param scheme in lower case
   * @param host in lower case; IPv6 in brackets
   * @param port the port, even if the text named none
   */
  public record Origin(String scheme, String host, int port) {

    private static final Pattern FORM =
        Pattern.compile("(https?)://([*]?[a-z0-9._-]+|\\[[0-9a-f:.]+])(?::([0-9]{1,5}))?");

    /** Parses an origin such as {@code https://chat.example.com:8443}; null if it is malformed. */
    static @Nullable Origin parse(String text) {
      var matcher = FORM.matcher(text.toLowerCase(Locale.ROOT));
      if (!matcher.matches()) {
        return null;
      }
      String scheme = matcher.group(1);
      String port = matcher.group(3);
      return new Origin(
          scheme, matcher.group(2), port == null ? defaultPort(scheme) : Integer.parseInt(port));
    }

    private static int defaultPort(String scheme) {
      return scheme.equals("https") ? 443 : 80;
    }

    private boolean matches(Origin other) {
      return scheme.equals(other.scheme) && port == other.port && isHost(other.host);
    }

    private boolean isHost(String name) {
      return host.startsWith("*.") ? name.endsWith(host.substring(1)) : host.equals(name);
    }

    @Override
    public String toString() {
      return scheme + "://" + host + (port == defaultPort(scheme) ? "" : ":" + port);
    }
  }

  /**
   * How a request reached the server, as far as known.
   *
   * @param host the header, or null if there was none
   * @param scheme the scheme used by the client, or null: a proxy may have ended TLS without
   *     reporting it
   * @param port the port used by the client, or null if only {@code host} can show it
   * @param overLoopback whether it came from this machine over loopback
   */
  public record Target(
      @Nullable String host,
      @Nullable String scheme,
      @Nullable Integer port,
      boolean overLoopback) {

    private String name() {
      return host == null ? "" : HostHeader.name(host);
    }

    private boolean is(Origin origin) {
      String mine = scheme == null ? origin.scheme() : scheme;
      String where =
          host != null && port != null && name().equalsIgnoreCase(host) ? ":" + port : "";
      return host != null && origin.equals(Origin.parse(mine + "://" + host + where));
    }
  }

  /**
   * Parses {@code same}, {@code *}, or origins separated by commas.
   *
   * @param local whether the server is bound to loopback
   * @throws IllegalArgumentException naming the first invalid entry
   */
  public static Origins parse(String text, boolean local) {
    List<Origin> listed = new ArrayList<>();
    for (String entry : text.split(",", -1)) {
      if (!entry.isBlank() && !entry.strip().equals(SAME) && !text.strip().equals(ANY)) {
        listed.add(entry(entry.strip()));
      }
    }
    return new Origins(text.strip().equals(ANY), List.copyOf(listed), local);
  }

  private static Origin entry(String text) {
    Origin origin = Origin.parse(text);
    if (origin == null || !origin.host().matches("[*][.].+|[^*]+")) {
      throw new IllegalArgumentException("'" + text + "' is no origin");
    }
    return origin;
  }

  /**
   * Returns why a request must be rejected.
   *
   * @param named the {@code Origin} lines of the request; none for a program
   * @return the problem and the solution, or null if it may be answered
   */
  public @Nullable String refusal(List<String> named, Target target) {
    if (any) {
      return null;
    }
    if (local && target.overLoopback() && target.host() != null && !isOurName(target.name())) {
      return "this server is bound to loopback and does not accept the Host "
          + shown(target.name())
          + "; for a proxy in front of it, set CHATFLOW_ORIGINS to its origin";
    }
    if (named.isEmpty()) {
      return null;
    }
    Origin origin = named.size() == 1 ? Origin.parse(named.getFirst()) : null;
    if (origin != null && (target.is(origin) || isListed(origin))) {
      return null;
    }
    return "pages of the origin "
        + shown(named.getFirst())
        + " may not use this server; add the origin to CHATFLOW_ORIGINS to allow it";
  }

  private boolean isOurName(String name) {
    return HostHeader.isThisMachine(name)
        || listed.stream().anyMatch(origin -> origin.isHost(name));
  }

  private boolean isListed(Origin origin) {
    return listed.stream().anyMatch(each -> each.matches(origin));
  }

  /** Truncates external text to the length of a name. */
  private static String shown(String text) {
    String printable = text.replaceAll("[^!-~]", "?");
    return printable.substring(0, Math.min(printable.length(), 100));
  }

  /**
   * Returns the pages that may embed the server's page, in the syntax of a content security policy.
   */
  public String ancestors() {
    return any
        ? ANY
        : listed.isEmpty()
            ? "'none'"
            : listed.stream().map(Origin::toString).collect(Collectors.joining(" "));
  }
}
