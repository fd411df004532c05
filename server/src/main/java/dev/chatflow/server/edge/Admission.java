package dev.chatflow.server.edge;

import dev.chatflow.message.ClientMessage;
import dev.chatflow.message.ErrorCode;
import dev.chatflow.message.MessageType;
import org.jspecify.annotations.Nullable;

/**
 * Decides which messages of a connection are accepted, by its state between JOIN and LEAVE and its
 * window.
 *
 * <p>Admission precedes membership: a TEXT is accepted after a JOIN that has not come back yet. Not
 * thread-safe: guarded by its connection.
 */
public final class Admission {

  /** The reason to reject a message. */
  public record Refusal(ErrorCode code, String text) {}

  /** The user of a connection: the part of its JOIN that is kept while it is a member. */
  public record Joined(String userId, String username) {}

  private final int window;
  private @Nullable Joined joined;
  private int underWay;

  /** Creates the admission of a new connection; {@code window} is in messages. */
  public Admission(int window) {
    this.window = window;
  }

  /**
   * Checks a well-formed message.
   *
   * @return null if it may be accepted
   */
  public @Nullable Refusal refusal(ClientMessage message) {
    Joined join = joined;
    if (message.type() == MessageType.JOIN) {
      return join == null
          ? null
          : new Refusal(
              ErrorCode.ALREADY_JOINED,
              "already joined as user " + join.userId() + ": send LEAVE first");
    }
    if (join == null) {
      return new Refusal(ErrorCode.NOT_JOINED, "send JOIN before " + message.type());
    }
    if (!join.userId().equals(message.userId()) || !join.username().equals(message.username())) {
      return new Refusal(
          ErrorCode.USER_MISMATCH,
          "joined as user " + join.userId() + " (" + join.username() + "): use the same");
    }
    return null;
  }

  /** Accepts a message that was not rejected. */
  public void take(ClientMessage message) {
    switch (message.type()) {
      case JOIN -> joined = new Joined(message.userId(), message.username());
      case LEAVE -> joined = null;
      case TEXT, SIGNAL -> {}
    }
    underWay++;
  }

  /** Ends the admission and returns its user, or null if there was none. */
  public @Nullable Joined takeJoined() {
    Joined join = joined;
    joined = null;
    return join;
  }

  /** Returns the admitted user, or null. */
  public @Nullable Joined joined() {
    return joined;
  }

  public boolean isJoined() {
    return joined != null;
  }

  public void cameBack(int messages) {
    underWay -= messages;
  }

  public int underWay() {
    return underWay;
  }

  public boolean isWindowFull() {
    return underWay >= window;
  }

  /** Returns whether a connection paused by a full window may be read again. */
  public boolean isWindowHalfOpen() {
    return underWay <= window / 2;
  }
}
