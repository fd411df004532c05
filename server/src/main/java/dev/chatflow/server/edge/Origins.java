package dev.chatflow.server.edge;

import dev.chatflow.support.HostHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which pages may talk to this server: its own always, further ones as configured.
 *
 * <p>A browser names the origin of the page that asks, programs name none. Immutable; any thread.
 *
 * @param any whether every page may
 * @param listed origins that may besides the server's own; a host may begin with {@code *.}
 * @param local whether the server is bound to loopback: then {@code Host} must name this machine or
 *     a listed origin, which stops pages whose name was made to lead here
 */
public record Origins(boolean any, List<Origin> listed, boolean local) {

  private static final String SAME = "same";
  private static final String ANY = "*";

  /** None but the server's own pages. */
  public static final Origins OWN = new Origins(false, List.of(), false);

  /**
   * Scheme, host and port of a page.
   *
   * @param scheme in lower case
   * @param host in lower case; IPv6 in brackets
   * @param port also when the text named none
   */
  public record Origin(String scheme, String host, int port) {

    private static final Pattern FORM =
        Pattern.compile("(https?)://([*]?[a-z0-9._-]+|\\[[0-9a-f:.]+])(?::([0-9]{1,5}))?");

    /** Reads such as {@code https://chat.example.com:8443}; null when it is nothing like it. */
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
   * How a request reached the server, as far as is known.
   *
   * @param host the header, or null when there was none
   * @param scheme by which the client came, or null: a proxy may have ended TLS without a word
   * @param port to which the client came, or null when only {@code host} could tell
   * @param overLoopback whether it came from this machine itself, by way of loopback
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
   * Reads {@code same}, {@code *}, or origins separated by commas.
   *
   * @param local whether the server is bound to loopback
   * @throws IllegalArgumentException naming the first entry that is none
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
   * Why a request must not be answered.
   *
   * @param named the {@code Origin} lines of the request; none: a program
   * @return what was wrong and what to do, or null when it may be answered
   */
  public @Nullable String refusal(List<String> named, Target target) {
    if (any) {
      return null;
    }
    if (local && target.overLoopback() && target.host() != null && !isOurName(target.name())) {
      return "this server is bound to loopback and does not answer to the Host "
          + shown(target.name())
          + "; CHATFLOW_ORIGINS names the origin of a proxy in front of it";
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
        + " may not talk to this server; CHATFLOW_ORIGINS lists those that may";
  }

  private boolean isOurName(String name) {
    return HostHeader.isThisMachine(name)
        || listed.stream().anyMatch(origin -> origin.isHost(name));
  }

  private boolean isListed(Origin origin) {
    return listed.stream().anyMatch(each -> each.matches(origin));
  }

  /** Of what a stranger wrote, no more than a name would have. */
  private static String shown(String text) {
    String printable = text.replaceAll("[^!-~]", "?");
    return printable.substring(0, Math.min(printable.length(), 100));
  }

  /** Who may show our page within his own, as the policy of the page says it. */
  public String ancestors() {
    return any
        ? ANY
        : listed.isEmpty()
            ? "'none'"
            : listed.stream().map(Origin::toString).collect(Collectors.joining(" "));
  }
}
