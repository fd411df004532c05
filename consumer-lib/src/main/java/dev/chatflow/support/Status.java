package dev.chatflow.support;

import java.net.HttpURLConnection;

/** The status that a program reports under {@code /health}. */
public enum Status {
  /** It has not reached its broker yet. */
  STARTING,
  UP,
  /** It had a broker, which is unavailable now. */
  DEGRADED,
  DRAINING;

  /**
   * Returns 200 while the program can be used, even without its broker for a while; otherwise 503.
   */
  public int httpStatus() {
    return this == UP || this == DEGRADED
        ? HttpURLConnection.HTTP_OK
        : HttpURLConnection.HTTP_UNAVAILABLE;
  }
}
