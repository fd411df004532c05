package dev.chatflow.chat.link;

import java.io.IOException;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** The network operations that the library needs. Thread-safe. */
public interface Net {

  /** A connection that is open or being opened. Used only by its room's thread. */
  interface Socket {

    /** Sends a text frame after all earlier ones. */
    void send(String text);

    /** Closes the connection without further events. */
    void close(int code);
  }

  /** Receives the events of a socket on its room's thread. */
  interface Events {
    void opened();

    void received(String text);

    /**
     * Reports how the connection ended; {@link Closes#SILENT} without a close code. It is the last
     * event.
     */
    void ended(int code, String reason);
  }

  /**
   * An HTTP response.
   *
   * @param retryAfterSeconds seconds to wait before the next request; 0 if the response has none
   */
  record Answer(int status, int retryAfterSeconds, String body) {}

  Socket open(URI address, @Nullable String token, Loop loop, Events on);

  /** Sends a GET and blocks until the response. */
  Answer get(URI address, @Nullable String token) throws IOException, InterruptedException;

  /** Posts JSON under an idempotency key and blocks until the response. */
  Answer post(URI address, @Nullable String token, String key, String json)
      throws IOException, InterruptedException;
}
