package dev.chatflow.chat.link;

import java.io.IOException;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** What the library asks of a network. Thread-safe. */
public interface Net {

  /** A connection that is being opened, or open. Its room's thread alone uses it. */
  interface Socket {

    /** Sends a text frame, behind those before. */
    void send(String text);

    /** Ends it; nothing is told any more. */
    void close(int code);
  }

  /** What happens to a socket; told on its room's thread. */
  interface Events {
    void opened();

    void received(String text);

    /** The last: how it ended; {@link Closes#SILENT} where no code came. */
    void ended(int code, String reason);
  }

  /**
   * An answer over HTTP.
   *
   * @param retryAfterSeconds when to ask again; 0 when it does not say
   */
  record Answer(int status, int retryAfterSeconds, String body) {}

  Socket open(URI address, @Nullable String token, Loop loop, Events on);

  /** Waits for the answer. */
  Answer get(URI address, @Nullable String token) throws IOException, InterruptedException;

  /** The same for a post of JSON under a key. */
  Answer post(URI address, @Nullable String token, String key, String json)
      throws IOException, InterruptedException;
}
