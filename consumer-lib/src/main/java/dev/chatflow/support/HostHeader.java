package dev.chatflow.support;

import java.util.Locale;
import java.util.regex.Pattern;

/** Parses {@code Host} headers, without DNS lookups. Stateless. */
public final class HostHeader {

  private static final Pattern THIS_MACHINE =
      Pattern.compile("localhost|.+[.]localhost|127([.][0-9]{1,3}){3}|\\[(::|(0:){7})1]");

  private HostHeader() {}

  /** Returns the name without its port, in lower case; IPv6 in brackets. */
  public static String name(String host) {
    int colon = host.lastIndexOf(':');
    String name = colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
    return name.toLowerCase(Locale.ROOT);
  }

  /** Returns an address as written in a {@code Host} header. */
  public static String literal(String address) {
    return address.contains(":") ? "[" + address + "]" : address;
  }

  /** As {@link #literal}, but a wildcard address becomes loopback, which local clients use. */
  public static String reachable(String address) {
    return switch (address) {
      case "0.0.0.0" -> "127.0.0.1";
      case "::", "0:0:0:0:0:0:0:0" -> "[::1]";
      default -> literal(address);
    };
  }

  /** Returns whether a name from {@link #name} always means loopback. */
  public static boolean isThisMachine(String name) {
    return THIS_MACHINE.matcher(name).matches();
  }
}
