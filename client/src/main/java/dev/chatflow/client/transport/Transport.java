package dev.chatflow.client.transport;

import dev.chatflow.client.record.Traffic;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;

/**
 * The connections of one load thread and the waiting for them.
 *
 * <p>Belongs to one thread, except {@link #wakeup}, which any thread may call.
 */
public interface Transport extends AutoCloseable {

  /**
   * Starts to connect; the events tell how it ends.
   *
   * @param headers further lines of the request, each with its line end
   */
  Connection connect(URI uri, InetSocketAddress address, String headers, ConnectionEvents events);

  /** A way to post to this URI; connects with the first request. */
  HttpChannel http(URI uri, InetSocketAddress address, HttpChannel.Events events);

  /** Waits up to {@code nanos} for I/O and handles it, calling the events of the connections. */
  void poll(long nanos) throws IOException;

  /** {@link System#nanoTime} taken after the socket read that is being handled. */
  long readNanos();

  /** The buffer in which this thread frames its messages. */
  FrameBatch batch();

  Traffic traffic();

  /** Ends a running or the next {@link #poll}. */
  void wakeup();

  @Override
  void close();
}
