package dev.chatflow.server.edge;

import dev.chatflow.support.AddressRates;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts and limits the connections of each address, by the keys of {@link AddressRates#key}.
 * Thread-safe.
 */
public final class Addresses {

  private final int maxConnections;

  /** Guarded by this. */
  private final Map<String, Integer> connections = new HashMap<>();

  /**
   * Creates the counts of a server.
   *
   * @param maxConnections of one address; 0 = no limit
   */
  public Addresses(int maxConnections) {
    this.maxConnections = maxConnections;
  }

  /** Returns whether another connection of this address would exceed the limit. */
  public boolean isFull(String address) {
    if (maxConnections == 0) {
      return false;
    }
    String key = AddressRates.key(address);
    synchronized (this) {
      return connections.getOrDefault(key, 0) >= maxConnections;
    }
  }

  /** Counts a new connection; false if it exceeds the limit, and then it is not counted. */
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

  /** Uncounts a connection that has ended. */
  void leave(String address) {
    if (maxConnections == 0) {
      return;
    }
    String key = AddressRates.key(address);
    synchronized (this) {
      connections.computeIfPresent(key, (_, count) -> count == 1 ? null : count - 1);
    }
  }

  /** Returns the number of addresses with connections. */
  public synchronized int size() {
    return connections.size();
  }
}
