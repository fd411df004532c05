package dev.chatflow.server.sink.tomcat;

/** How frames are to leave. */
public enum SinkMode {
  /** By the direct sink where the self-test passes, else by the portable one. */
  AUTO,
  /** By the container's public API. */
  PORTABLE,
  /** By the direct sink, or not at all. */
  DIRECT
}
