package dev.chatflow.server.edge;

import dev.chatflow.message.ClientMessage;
import dev.chatflow.message.ErrorCode;
import dev.chatflow.message.ErrorFrame;
import dev.chatflow.message.MessageType;
import dev.chatflow.message.Parsed;
import org.jspecify.annotations.Nullable;

/**
 * Counts the faults of one connection, and says when they end it.
 *
 * <p>A fault is a message that is refused by its sender's own doing. Guarded by its session.
 */
public final class Faults {

  /** Faults in a row that end the connection. */
  static final int LIMIT = 20;

  private int inARow;
  private boolean joinPutOff;

  /**
   * Judges one message, in the order in which they came. To be told to wait is no fault, nor is
   * what was sent behind a JOIN that had to wait. A PING says nothing either way.
   *
   * @param error how it is refused, or null when it was taken: then the count begins anew
   * @return whether the connection is to be closed: {@value #LIMIT} faults in a row, or more
   */
  public boolean judge(Parsed parsed, @Nullable ErrorFrame error) {
    if (parsed instanceof Parsed.Ping) {
      return false;
    }
    if (error == null) {
      inARow = 0;
      joinPutOff = false;
      return false;
    }
    if (asksToWait(error.code())) {
      if (isJoin(parsed)) {
        joinPutOff();
      }
      return false;
    }
    if (joinPutOff && error.code() == ErrorCode.NOT_JOINED) {
      return false;
    }
    inARow++;
    return inARow >= LIMIT;
  }

  /** A JOIN had to wait so long that it is refused. */
  public void joinPutOff() {
    joinPutOff = true;
  }

  private static boolean asksToWait(ErrorCode code) {
    return code == ErrorCode.SERVICE_UNAVAILABLE || code == ErrorCode.RATE_LIMITED;
  }

  private static boolean isJoin(Parsed parsed) {
    return parsed instanceof Parsed.Valid(ClientMessage message)
        && message.type() == MessageType.JOIN;
  }
}
