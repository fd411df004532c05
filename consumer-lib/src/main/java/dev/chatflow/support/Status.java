package dev.chatflow.support;

import java.net.HttpURLConnection;

/** What a program says of itself under {@code /health}. */
public enum Status {
  /** It has not had its broker yet. */
  STARTING,
  UP,
  /** The broker was there and is away now. */
  DEGRADED,
  DRAINING;

  /** 200 while it can be used, also without its broker for a moment; else 503. */
  public int httpStatus() {
    return this == UP || this == DEGRADED
        ? HttpURLConnection.HTTP_OK
        : HttpURLConnection.HTTP_UNAVAILABLE;
  }
}
