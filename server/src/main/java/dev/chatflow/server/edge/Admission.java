package dev.chatflow.server.edge;

import dev.chatflow.message.ClientMessage;
import dev.chatflow.message.ErrorCode;
import dev.chatflow.message.MessageType;
import org.jspecify.annotations.Nullable;

/**
 * Which messages of one connection are taken: its state between JOIN and LEAVE, and its window.
 *
 * <p>Admission runs ahead of membership: a TEXT is taken behind a JOIN that has not come back yet.
 * Not thread-safe: guarded by its session.
 */
public final class Admission {

  /** Why a message is not taken. */
  public record Refusal(ErrorCode code, String text) {}

  /** As whom a connection joined: all of its JOIN that is kept as long as it is a member. */
  public record Joined(String userId, String username) {}

  private final int window;
  private @Nullable Joined joined;
  private int underWay;

  /** Makes the admission of a new connection; {@code window} is in messages. */
  public Admission(int window) {
    this.window = window;
  }

  /**
   * Checks a well-formed message against the state.
   *
   * @return null when it may be taken
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
          "joined as user " + join.userId() + " (" + join.username() + "): send with the same");
    }
    return null;
  }

  /** Takes a message that was not refused. */
  public void take(ClientMessage message) {
    switch (message.type()) {
      case JOIN -> joined = new Joined(message.userId(), message.username());
      case LEAVE -> joined = null;
      case TEXT -> {}
    }
    underWay++;
  }

  /** As whom the connection is admitted, or null; afterwards it is not. */
  public @Nullable Joined takeJoined() {
    Joined join = joined;
    joined = null;
    return join;
  }

  /** As whom the connection is admitted, or null. */
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

  /** Whether a session that was paused by a full window is read again. */
  public boolean isWindowHalfOpen() {
    return underWay <= window / 2;
  }
}
