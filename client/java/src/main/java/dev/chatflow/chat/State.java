package dev.chatflow.chat;

import java.time.Instant;

/** The connection state of a room. */
public sealed interface State {

  /** Connecting to a server. */
  non-sealed interface Connecting extends State {}

  /** Connected; the JOIN has not come back yet. */
  non-sealed interface Joining extends State {}

  /** Joined. */
  non-sealed interface Here extends State {

    /** Returns the id of the server. */
    String server();
  }

  /** Not joined; the next attempt is scheduled. */
  non-sealed interface Waiting extends State {

    /** Returns the reason, for people. */
    String why();

    /** Returns the time of the next attempt. */
    Instant until();
  }

  /** Stopped for good. Join again to retry. */
  non-sealed interface Stopped extends State {

    /** Returns the reason, for people. */
    String why();

    /** Returns the code of a rejected JOIN, {@link Code#TOKEN} or {@link Code#CLOSED}. */
    Code code();

    /** Returns the close code of the connection, such as 4009; 0 if it was not closed. */
    int closeCode();
  }

  /** The room was left. */
  non-sealed interface Left extends State {}
}
