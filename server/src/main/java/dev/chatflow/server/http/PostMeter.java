package dev.chatflow.server.http;

import java.time.Duration;

/** What messages over HTTP count. Any thread calls; no call parks its caller. */
public interface PostMeter {

  /** A request was answered with an error. */
  void refused(String errorCode);

  /** A request got this status, so long after it came in. */
  void answered(int status, Duration took);

  /** A question about the past of a room got this status. */
  void pastAnswered(int status);
}
