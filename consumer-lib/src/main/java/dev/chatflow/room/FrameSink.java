package dev.chatflow.room;

/**
 * The output of one connection: accepts ranges of a room log, with one write in flight at a time.
 *
 * <p>Called by one writer at a time; {@link #isClosed} by any thread. A sink never parks its
 * caller.
 */
public interface FrameSink {

  /**
   * Starts to write a range, which begins and ends at frame boundaries. The caller starts no second
   * write before {@code done} has run.
   *
   * @param done runs exactly once, on any thread, possibly before this call returns: when all bytes
   *     were handed to the transport, or when they never will be and {@link #isClosed} is true. The
   *     bytes must not be read afterwards. Only a transport that lost the write of a closed sink
   *     may still read them, because those segments are not reused
   */
  void write(LogRange range, Runnable done);

  /**
   * Returns whether nothing more will be sent; never returns to false. This is a volatile read:
   * once one thread has seen the sink closed, all threads do.
   */
  boolean isClosed();
}
