package dev.chatflow.server.edge;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The addresses whose {@code X-Forwarded-...} headers are trusted.
 *
 * @param ranges the addresses; with none, no header is trusted
 */
public record TrustedProxies(List<Range> ranges) {

  /** The form of an address; the JDK would also accept fewer than four numbers. */
  private static final Pattern LITERAL =
      Pattern.compile("[0-9]{1,3}([.][0-9]{1,3}){3}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");

  /**
   * An address with a port, as some proxies write it; IPv6 needs brackets because of its colons.
   */
  private static final Pattern WITH_PORT =
      Pattern.compile("\\[([^]]*)](?::[0-9]{1,5})?|([0-9.]+):[0-9]{1,5}");

  /** More digits than any valid prefix would overflow. */
  private static final Pattern PREFIX = Pattern.compile("[0-9]{1,3}");

  /**
   * A block of addresses.
   *
   * @param network any address in it
   * @param prefix number of leading bits that count
   */
  public record Range(InetAddress network, int prefix) {

    boolean contains(InetAddress address) {
      byte[] mine = network.getAddress();
      byte[] other = address.getAddress();
      if (mine.length != other.length) {
        return false;
      }
      int whole = prefix / 8;
      if (!Arrays.equals(mine, 0, whole, other, 0, whole)) {
        return false;
      }
      int mask = 0xff00 >> (prefix % 8);
      return prefix % 8 == 0 || (mine[whole] & mask & 0xff) == (other[whole] & mask & 0xff);
    }
  }

  /**
   * Parses a comma-separated list of addresses and CIDR ranges.
   *
   * @throws IllegalArgumentException naming the first invalid entry
   */
  public static TrustedProxies parse(String text) {
    List<Range> ranges = new ArrayList<>();
    for (String entry : text.split(",", -1)) {
      if (!entry.isBlank()) {
        ranges.add(range(entry.strip()));
      }
    }
    return new TrustedProxies(List.copyOf(ranges));
  }

  private static Range range(String entry) {
    int slash = entry.indexOf('/');
    InetAddress network = address(slash < 0 ? entry : entry.substring(0, slash));
    if (network == null) {
      throw new IllegalArgumentException("'" + entry + "' is no address");
    }
    int bits = network.getAddress().length * 8;
    String suffix = slash < 0 ? Integer.toString(bits) : entry.substring(slash + 1);
    int prefix = PREFIX.matcher(suffix).matches() ? Integer.parseInt(suffix) : -1;
    if (prefix < 0 || prefix > bits) {
      throw new IllegalArgumentException("'" + entry + "' has no prefix from 0 to " + bits);
    }
    return new Range(network, prefix);
  }

  /** Parses a numeric address; null if it is not one. */
  static @Nullable InetAddress address(String literal) {
    try {
      return LITERAL.matcher(literal).matches() ? InetAddress.ofLiteral(literal) : null;
    } catch (IllegalArgumentException _) {
      return null; // no DNS lookup, because the header comes from outside
    }
  }

  /**
   * Returns the origin of a request: the last hop that is not a trusted proxy, without its port.
   *
   * @param peer the address of the TCP connection
   * @param forwardedFor all lines of the header: a proxy may extend the last one or add another
   */
  public String client(String peer, List<String> forwardedFor) {
    String client = peer;
    String[] hops = String.join(",", forwardedFor).split(",", -1);
    for (int i = hops.length - 1; i >= 0 && isTrusted(client); i--) {
      String hop = withoutPort(hops[i].strip());
      if (address(hop) == null) {
        return client;
      }
      client = hop;
    }
    return client;
  }

  private static String withoutPort(String hop) {
    Matcher matcher = WITH_PORT.matcher(hop);
    if (!matcher.matches()) {
      return hop;
    }
    return matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
  }

  /** Returns whether {@code text} is the address of a trusted proxy. */
  public boolean isTrusted(String text) {
    InetAddress address = address(text);
    return address != null && ranges.stream().anyMatch(range -> range.contains(address));
  }
}
