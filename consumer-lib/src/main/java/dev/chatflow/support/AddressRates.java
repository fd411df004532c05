package dev.chatflow.support;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How many requests a second one address may send: reads, posts and handshakes together. Of IPv6 an
 * address is a network of 64 bits, in which one machine has as many addresses as it likes.
 *
 * <p>Any thread. Remembers {@value #MAX} addresses; beyond them the one that was silent for longest
 * starts with a full bucket again.
 */
public final class AddressRates {

  static final int MAX = 10_000;

  /** Of an IPv6 address: what a network is given, and no machine chooses. */
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
   * @return 0, or the wait in ms (at least 1) until one is allowed
   */
  public long take(String address, long nowNanos) {
    return take(address, nowNanos, 1);
  }

  /** Counts a request of a file of the page: sixteen of them count as one request. */
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

  /** Takes back what {@link #take} counted: the request turned out to be exempt. */
  public synchronized void giveBack(String address) {
    RateLimit rate = rates.get(key(address));
    if (rate != null) {
      rate.giveBack();
    }
  }

  /** Addresses that are remembered. */
  public synchronized int size() {
    return rates.size();
  }

  /** Addresses that were forgotten for lack of space. */
  public synchronized long forgotten() {
    return forgotten;
  }

  /** By what an address is counted: itself, or its network. No name service is asked. */
  public static String key(String address) {
    try {
      InetAddress parsed = InetAddress.ofLiteral(address);
      return parsed instanceof Inet6Address
          ? HexFormat.of().formatHex(parsed.getAddress(), 0, NETWORK_BYTES)
          : parsed.getHostAddress(); // also where IPv6 wraps it
    } catch (IllegalArgumentException _) {
      return address;
    }
  }
}
