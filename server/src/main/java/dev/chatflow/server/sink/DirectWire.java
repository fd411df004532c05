package dev.chatflow.server.sink;

import java.nio.ByteBuffer;
import java.nio.channels.CompletionHandler;
import org.jspecify.annotations.Nullable;

/**
 * What the direct sink needs of a container's connection: writes of whole frames under the permit
 * that the container's own frames (pongs, closes) take too.
 *
 * <p>Any thread calls; only {@link #close} and {@link #abort} may park their caller.
 */
public interface DirectWire {

  /** What became of a write. */
  enum Started {
    /** All bytes are with the transport; the handler is not called. */
    WRITTEN,
    /** The handler is called by a container's thread, has been called already, or never is. */
    IN_THE_AIR,
    /** Nothing was written, the handler is not called: try again. */
    NOT_STARTED
  }

  /** Takes the permit; false while the container sends a frame of its own. */
  boolean tryBegin();

  /** Whether a close frame has left: asked with the permit held, nothing may follow then. */
  boolean isCloseSent();

  /**
   * Starts to write whole frames; with the permit held.
   *
   * @param handler called at most once, and only for a write in the air
   */
  Started write(ByteBuffer[] frames, CompletionHandler<Long, @Nullable Void> handler);

  /** Gives the permit back. */
  void end();

  /** Closes the connection; parks the caller for a moment. */
  void close(int code, String reason);

  /** Ends the connection without waiting for the peer; parks the caller for a moment. */
  void abort(int code, String reason);
}
