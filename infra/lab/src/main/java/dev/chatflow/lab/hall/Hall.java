package dev.chatflow.lab.hall;

import jakarta.websocket.Session;

/** All rooms of one way to fan out. The container's threads call. */
interface Hall extends AutoCloseable {

  /** A member of a room. */
  interface Seat {

    /** Shows a text to all members of the room. */
    void say(String text);

    void leave();
  }

  /** Makes a connection a member and shows its first text to all, itself included. */
  Seat join(Session session, String room, String text);

  /** Writes begun: calls that hand bytes to the container or to the socket. */
  long writes();

  /** Frames handed over, each member's counted. */
  long deliveries();

  @Override
  void close();
}
