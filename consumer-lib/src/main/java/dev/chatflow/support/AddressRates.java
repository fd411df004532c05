package dev.chatflow.support;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Limits the requests per second of one address: reads, posts and handshakes together. An IPv6
 * address counts as its network of 64 bits, because a machine can use any address in it.
 *
 * <p>Thread-safe. Remembers {@value #MAX} addresses; beyond that the least recently used one is
 * dropped and starts with a full bucket again.
 */
public final class AddressRates {

  static final int MAX = 10_000;

  /** The network part of an IPv6 address, which a machine cannot choose. */
  private static final int NETWORK_BYTES = 8;

  /** Files are cheap: their content is in memory and the same for all users. */
  private static final int FILES_PER_REQUEST = 16;

  private final int perSecond;

  // Guarded by this.
  private final Map<String, RateLimit> rates = new LinkedHashMap<>(16, 0.75f, true);
  private long forgotten;

  /**
   * Sets the rate.
   *
   * @param perSecond requests of one address; 0 = no limit
   */
  public AddressRates(int perSecond) {
    this.perSecond = perSecond;
  }

  /**
   * Counts a request.
   *
   * @param nowNanos of {@link System#nanoTime}
   * @return 0, or the ms (at least 1) to wait until one is allowed
   */
  public long take(String address, long nowNanos) {
    return take(address, nowNanos, 1);
  }

  /** Counts a request for a file of the page: sixteen of them count as one request. */
  public long takeFile(String address, long nowNanos) {
    return take(address, nowNanos, FILES_PER_REQUEST);
  }

  private long take(String address, long nowNanos, int part) {
    if (perSecond == 0) {
      return 0;
    }
    String key = key(address);
    synchronized (this) {
      long wait = rates.computeIfAbsent(key, _ -> new RateLimit(perSecond)).take(nowNanos, part);
      if (rates.size() > MAX) {
        rates.remove(rates.keySet().iterator().next());
        forgotten++;
      }
      return wait;
    }
  }

  /** Takes back a counted request that turned out to be exempt. */
  public synchronized void giveBack(String address) {
    RateLimit rate = rates.get(key(address));
    if (rate != null) {
      rate.giveBack();
    }
  }

  /** Returns the number of remembered addresses. */
  public synchronized int size() {
    return rates.size();
  }

  /** Returns how many addresses were dropped because the limit was reached. */
  public synchronized long forgotten() {
    return forgotten;
  }

  /** Returns the key of an address: itself, or its network. Does no DNS lookup. */
  public static String key(String address) {
    try {
      InetAddress parsed = InetAddress.ofLiteral(address);
      return parsed instanceof Inet6Address
          ? HexFormat.of().formatHex(parsed.getAddress(), 0, NETWORK_BYTES)
          : parsed.getHostAddress(); // also for IPv4 mapped to IPv6
    } catch (IllegalArgumentException _) {
      return address;
    }
  }
}
