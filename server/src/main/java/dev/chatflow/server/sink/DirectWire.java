package dev.chatflow.server.sink;

import java.nio.ByteBuffer;
import java.nio.channels.CompletionHandler;
import org.jspecify.annotations.Nullable;

/**
 * A container's connection as the direct sink needs it: writes whole frames under the permit that
 * the container's own frames (pongs, closes) also take.
 *
 * <p>Thread-safe; only {@link #close} and {@link #abort} may park their caller.
 */
public interface DirectWire {

  /** The result of starting a write. */
  enum Started {
    /** All bytes were passed to the transport; the handler is not called. */
    WRITTEN,
    /**
     * The handler is called by a thread of the container, possibly before this returns, or never.
     */
    IN_THE_AIR,
    /** Nothing was written and the handler is not called: try again. */
    NOT_STARTED
  }

  /** Takes the permit; false while the container sends a frame of its own. */
  boolean tryBegin();

  /**
   * Returns whether a close frame was sent, after which nothing may follow. Call it with the
   * permit.
   */
  boolean isCloseSent();

  /**
   * Starts to write whole frames. Call it with the permit.
   *
   * @param handler called at most once, and only for a write in flight
   */
  Started write(ByteBuffer[] frames, CompletionHandler<Long, @Nullable Void> handler);

  /** Releases the permit. */
  void end();

  /** Closes the connection; parks the caller for a moment. */
  void close(int code, String reason);

  /** Ends the connection without waiting for the peer; parks the caller for a moment. */
  void abort(int code, String reason);
}
