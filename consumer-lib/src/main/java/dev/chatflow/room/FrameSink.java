package dev.chatflow.room;

/**
 * Where the frames of one connection leave: takes ranges of a room log, one write in the air at a
 * time.
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
   *     have been handed to the transport, or when they never will be and {@link #isClosed} is
   *     true. The range's bytes must not be read afterwards; only a transport that lost the write
   *     of a closed sink may still do so, for they are not used again
   */
  void write(LogRange range, Runnable done);

  /**
   * True from the moment on when nothing more will leave; never false again. A volatile read: what
   * one thread has seen closed is closed for all.
   */
  boolean isClosed();
}
