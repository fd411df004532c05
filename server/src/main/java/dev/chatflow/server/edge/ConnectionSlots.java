package dev.chatflow.server.edge;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The places for connections: as many as are allowed, and no more than the heap holds or one
 * address may have. Thread-safe.
 */
public final class ConnectionSlots {

  /** Why there is no place. */
  public enum Refusal {
    /** As many as are allowed are open. */
    FULL("too many connections, try later"),
    /** The heap holds no more. */
    MEMORY("too many connections for this server's memory, try later"),
    /** One address has as many as it may. */
    ADDRESS("too many connections of this address: close one, or try later");

    private final String text;

    Refusal(String text) {
      this.text = text;
    }

    /** For the client. */
    public String text() {
      return text;
    }
  }

  private final int allowed;
  private final Addresses addresses;
  private final AtomicInteger taken = new AtomicInteger();
  private volatile int held = Integer.MAX_VALUE;

  /**
   * Makes them, all free.
   *
   * @param allowed by configuration
   * @param addresses whose connections are counted
   */
  public ConnectionSlots(int allowed, Addresses addresses) {
    this.allowed = allowed;
    this.addresses = addresses;
  }

  /** Says how many connections the heap holds; nothing is known of it before. */
  public void heapHolds(int connections) {
    held = connections;
  }

  /**
   * Takes a place.
   *
   * @param exempt whether its address is of no account
   * @return null, or why there is none
   */
  public @Nullable Refusal take(String address, boolean exempt) {
    Refusal refusal = null;
    if (taken.incrementAndGet() > limit()) {
      refusal = held < allowed ? Refusal.MEMORY : Refusal.FULL;
    } else if (!exempt && !addresses.enter(address)) {
      refusal = Refusal.ADDRESS;
    }
    if (refusal != null) {
      taken.decrementAndGet();
    }
    return refusal;
  }

  /** Gives a place back, with what it was taken for. */
  public void giveBack(String address, boolean exempt) {
    taken.decrementAndGet();
    if (!exempt) {
      addresses.leave(address);
    }
  }

  /** Places that are taken. */
  public int taken() {
    return taken.get();
  }

  /** Places there are. */
  public int limit() {
    return Math.min(allowed, held);
  }
}
