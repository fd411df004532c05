package dev.chatflow.client.transport;

import dev.chatflow.client.record.Traffic;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;

/**
 * The connections of one load thread, and its wait for I/O.
 *
 * <p>Belongs to one thread, except {@link #wakeup}, which any thread may call.
 */
public interface Transport extends AutoCloseable {

  /**
   * Starts to connect; the events report the outcome.
   *
   * @param headers additional lines of the request, each with its line end
   */
  Connection connect(URI uri, InetSocketAddress address, String headers, ConnectionEvents events);

  /** Returns a channel for posts to this URI, which connects with the first request. */
  HttpChannel http(URI uri, InetSocketAddress address, HttpChannel.Events events);

  /** Waits up to {@code nanos} for I/O and handles it by calling the events of connections. */
  void poll(long nanos) throws IOException;

  /** Returns {@link System#nanoTime} after the socket read that is being handled. */
  long readNanos();

  /** Returns the buffer for this thread's frames. */
  FrameBatch batch();

  Traffic traffic();

  /** Ends the current or the next {@link #poll}. */
  void wakeup();

  @Override
  void close();
}
