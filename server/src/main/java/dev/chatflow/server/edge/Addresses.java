package dev.chatflow.server.edge;

import dev.chatflow.support.AddressRates;
import java.util.HashMap;
import java.util.Map;

/**
 * How many connections one address has and may have, counted as {@link AddressRates#key} names
 * addresses. Any thread.
 */
public final class Addresses {

  private final int maxConnections;

  /** Guarded by this. */
  private final Map<String, Integer> connections = new HashMap<>();

  /**
   * Makes it for a server.
   *
   * @param maxConnections of one address; 0 = no limit
   */
  public Addresses(int maxConnections) {
    this.maxConnections = maxConnections;
  }

  /** Whether another connection of this address would be one too many. */
  public boolean isFull(String address) {
    if (maxConnections == 0) {
      return false;
    }
    String key = AddressRates.key(address);
    synchronized (this) {
      return connections.getOrDefault(key, 0) >= maxConnections;
    }
  }

  /** Counts a connection that opens; false when it is one too many, and not counted. */
  boolean enter(String address) {
    if (maxConnections == 0) {
      return true;
    }
    String key = AddressRates.key(address);
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
    String key = AddressRates.key(address);
    synchronized (this) {
      connections.computeIfPresent(key, (_, count) -> count == 1 ? null : count - 1);
    }
  }

  /** Addresses that have connections. */
  public synchronized int size() {
    return connections.size();
  }
}
