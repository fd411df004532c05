package dev.chatflow.server.edge;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The slots for connections: limited by configuration, by the heap, and per address. Thread-safe.
 */
public final class ConnectionSlots {

  /** The reasons why there is no slot. */
  public enum Refusal {
    /** The configured number is open. */
    FULL("too many connections, try later"),
    /** The heap holds no more. */
    MEMORY("too many connections for this server's memory, try later"),
    /** The address has reached its limit. */
    ADDRESS("too many connections of this address: close one, or try later");

    private final String text;

    Refusal(String text) {
      this.text = text;
    }

    /** Returns the text for the client. */
    public String text() {
      return text;
    }
  }

  private final int allowed;
  private final Addresses addresses;
  private final AtomicInteger taken = new AtomicInteger();
  private volatile int held = Integer.MAX_VALUE;

  /**
   * Creates the slots, all free.
   *
   * @param allowed the configured limit
   * @param addresses counts the connections of each address
   */
  public ConnectionSlots(int allowed, Addresses addresses) {
    this.allowed = allowed;
    this.addresses = addresses;
  }

  /** Sets how many connections the heap holds; unlimited before. */
  public void heapHolds(int connections) {
    held = connections;
  }

  /**
   * Takes a slot.
   *
   * @param exempt whether the limit per address does not apply
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

  /** Frees a slot, with the arguments it was taken with. */
  public void giveBack(String address, boolean exempt) {
    taken.decrementAndGet();
    if (!exempt) {
      addresses.leave(address);
    }
  }

  /** Returns the number of taken slots. */
  public int taken() {
    return taken.get();
  }

  /** Returns the number of all slots. */
  public int limit() {
    return Math.min(allowed, held);
  }
}
