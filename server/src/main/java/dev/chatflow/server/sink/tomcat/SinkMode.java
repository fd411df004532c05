package dev.chatflow.server.sink.tomcat;

/** The configured way to send frames. */
public enum SinkMode {
  /** Use the direct sink if the self-test passes, otherwise the portable one. */
  AUTO,
  /** Use the container's public API. */
  PORTABLE,
  /** Use the direct sink, or fail. */
  DIRECT
}
