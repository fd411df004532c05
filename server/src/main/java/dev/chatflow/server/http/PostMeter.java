package dev.chatflow.server.http;

import java.time.Duration;

/** Counts messages over HTTP. Thread-safe; no call parks its caller. */
public interface PostMeter {

  /** Counts a request answered with an error. */
  void refused(String errorCode);

  /** Reports a request's status and its time to the response. */
  void answered(int status, Duration took);

  /** Counts a request for earlier messages by its status. */
  void pastAnswered(int status);
}
