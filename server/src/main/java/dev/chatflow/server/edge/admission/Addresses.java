package dev.chatflow.server.edge.admission;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one address may take from the others: connections at once, and handshakes and posts a
 * second. Of IPv6 it is a network of 64 bits, in which one machine has as many addresses as it
 * likes.
 *
 * <p>Any thread. Counts as many addresses as have connections, and remembers the rates of {@value
 * #MAX_RATES}; beyond them the one not heard of longest starts anew.
 */
public final class Addresses {

  static final int MAX_RATES = 10_000;

  /** Of an IPv6 address: what a network is given, and no machine chooses. */
  private static final int NETWORK_BYTES = 8;

  private final int maxConnections;
  private final int perSecond;

  // Guarded by this.
  private final Map<String, Integer> connections = new HashMap<>();
  private final Map<String, RateLimit> rates = new LinkedHashMap<>(16, 0.75f, true);
  private long forgotten;

  /**
   * Makes it for a server.
   *
   * @param maxConnections of one address; 0 = no limit
   * @param perSecond handshakes and posts of one address together; 0 = no limit
   */
  public Addresses(int maxConnections, int perSecond) {
    this.maxConnections = maxConnections;
    this.perSecond = perSecond;
  }

  /**
   * Counts a handshake or a post.
   *
   * @param nowNanos of {@link System#nanoTime}
   * @return 0, or the wait in ms (at least 1) until one is allowed
   */
  public long ask(String address, long nowNanos) {
    if (perSecond == 0) {
      return 0;
    }
    String key = key(address);
    synchronized (this) {
      long wait = rates.computeIfAbsent(key, _ -> new RateLimit(perSecond)).take(nowNanos);
      if (rates.size() > MAX_RATES) {
        rates.remove(rates.keySet().iterator().next());
        forgotten++;
      }
      return wait;
    }
  }

  /** Whether another connection of this address would be one too many. */
  public boolean isFull(String address) {
    if (maxConnections == 0) {
      return false;
    }
    String key = key(address);
    synchronized (this) {
      return connections.getOrDefault(key, 0) >= maxConnections;
    }
  }

  /** Counts a connection that opens; false when it is one too many, and not counted. */
  boolean enter(String address) {
    if (maxConnections == 0) {
      return true;
    }
    String key = key(address);
    synchronized (this) {
      if (connections.getOrDefault(key, 0) >= maxConnections) {
        return false;
      }
      connections.merge(key, 1, Integer::sum);
      return true;
    }
  }

  /** A connection that was counted has ended. */
  void leave(String address) {
    if (maxConnections == 0) {
      return;
    }
    String key = key(address);
    synchronized (this) {
      connections.computeIfPresent(key, (_, count) -> count == 1 ? null : count - 1);
    }
  }

  /** Addresses that are remembered, for their connections or for their rate. */
  public synchronized int size() {
    return Math.max(connections.size(), rates.size());
  }

  /** Rates that were forgotten for lack of space. */
  public synchronized long forgotten() {
    return forgotten;
  }

  private static String key(String address) {
    InetAddress parsed = TrustedProxies.address(address);
    if (parsed instanceof Inet6Address) {
      return HexFormat.of().formatHex(parsed.getAddress(), 0, NETWORK_BYTES);
    }
    return parsed == null ? address : parsed.getHostAddress(); // also where IPv6 wraps it
  }
}
