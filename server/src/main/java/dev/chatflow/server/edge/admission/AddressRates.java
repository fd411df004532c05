package dev.chatflow.server.edge.admission;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The rate limit of those who send without a connection of their own: one bucket per address.
 *
 * <p>Any thread: the container's, of each request. Keeps {@value #MAX_ADDRESSES} addresses; beyond
 * them the one not heard of longest starts anew.
 */
public final class AddressRates {

  static final int MAX_ADDRESSES = 10_000;

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
    synchronized (this) {
      return buckets.computeIfAbsent(address, _ -> new RateLimit(perSecond)).take(nowNanos);
    }
  }
}
