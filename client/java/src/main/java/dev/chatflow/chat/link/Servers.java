package dev.chatflow.chat.link;

import java.net.URI;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The servers of a cluster, of which one is in use until it fails. Thread-safe. */
public final class Servers {

  private final List<URI> bases;
  private final AtomicInteger at = new AtomicInteger();

  /**
   * Starts with the first one.
   *
   * @param bases addresses that end with a slash; at least one
   */
  public Servers(List<URI> bases) {
    this.bases = List.copyOf(bases);
  }

  /** Returns the address of the server in use. */
  public URI current() {
    return bases.get(at.get());
  }

  /** Moves on to the next server, unless that has happened since this one was in use. */
  public void failed(URI base) {
    int failed = bases.indexOf(base);
    at.compareAndSet(failed, (failed + 1) % bases.size());
  }

  int count() {
    return bases.size();
  }
}
