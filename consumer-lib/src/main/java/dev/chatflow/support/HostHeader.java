package dev.chatflow.support;

import java.util.Locale;
import java.util.regex.Pattern;

/** What a {@code Host} says. No name service is ever asked. Stateless. */
public final class HostHeader {

  private static final Pattern THIS_MACHINE =
      Pattern.compile("localhost|.+[.]localhost|127([.][0-9]{1,3}){3}|\\[(::|(0:){7})1]");

  private HostHeader() {}

  /** The name without its port, in lower case; IPv6 in brackets. */
  public static String name(String host) {
    int colon = host.lastIndexOf(':');
    String name = colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
    return name.toLowerCase(Locale.ROOT);
  }

  /** An address as a {@code Host} has it. */
  public static String literal(String address) {
    return address.contains(":") ? "[" + address + "]" : address;
  }

  /**
   * As {@link #literal}, but for one that is all addresses: of them a client here uses loopback.
   */
  public static String reachable(String address) {
    return switch (address) {
      case "0.0.0.0" -> "127.0.0.1";
      case "::", "0:0:0:0:0:0:0:0" -> "[::1]";
      default -> literal(address);
    };
  }

  /** Whether a name, as {@link #name} gives it, is one of loopback and of nothing else. */
  public static boolean isThisMachine(String name) {
    return THIS_MACHINE.matcher(name).matches();
  }
}
