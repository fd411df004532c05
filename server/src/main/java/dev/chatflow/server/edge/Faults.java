package dev.chatflow.server.edge;

import dev.chatflow.message.ClientMessage;
import dev.chatflow.message.ErrorCode;
import dev.chatflow.message.ErrorFrame;
import dev.chatflow.message.MessageType;
import dev.chatflow.message.Parsed;
import org.jspecify.annotations.Nullable;

/**
 * Counts the faults of one connection and decides when they end it.
 *
 * <p>A fault is a message rejected because of its content. Guarded by its connection.
 */
public final class Faults {

  /** Number of consecutive faults that ends the connection. */
  static final int LIMIT = 20;

  private int inARow;
  private boolean joinPutOff;

  /**
   * Judges one message, in the order of arrival. A request to wait is no fault, nor is a message
   * sent after a JOIN that had to wait. A PING changes nothing.
   *
   * @param error the rejection, or null if it was accepted, which resets the count
   * @return whether to close the connection: after {@value #LIMIT} or more consecutive faults
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

  /** Notes that a JOIN was rejected because it waited too long. */
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
