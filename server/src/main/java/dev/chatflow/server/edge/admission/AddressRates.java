package dev.chatflow.server.edge.admission;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The rate limit of those who send without a connection of their own: one bucket per address, of
 * IPv6 per network of 64 bits, in which one machine has as many addresses as it likes.
 *
 * <p>Any thread: the container's, of each request. Keeps {@value #MAX_ADDRESSES} addresses; beyond
 * them the one not heard of longest starts anew.
 */
public final class AddressRates {

  static final int MAX_ADDRESSES = 10_000;

  /** Of an IPv6 address: what a network is given, and no machine chooses. */
  private static final int NETWORK_BYTES = 8;

  private final int perSecond;

  // Guarded by this.
  private final Map<String, RateLimit> buckets =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, RateLimit> eldest) {
          return size() > MAX_ADDRESSES;
        }
      };

  /** Makes it; 0 = no limit. */
  public AddressRates(int messagesPerSecond) {
    this.perSecond = messagesPerSecond;
  }

  /** Takes a token; 0, or the wait in ms (at least 1) until there is one. */
  public long take(String address, long nowNanos) {
    if (perSecond == 0) {
      return 0;
    }
    String key = key(address);
    synchronized (this) {
      return buckets.computeIfAbsent(key, _ -> new RateLimit(perSecond)).take(nowNanos);
    }
  }

  private static String key(String address) {
    InetAddress parsed = TrustedProxies.address(address);
    return parsed instanceof Inet6Address
        ? HexFormat.of().formatHex(parsed.getAddress(), 0, NETWORK_BYTES)
        : address;
  }
}
