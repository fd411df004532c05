package dev.chatflow.server.edge;

import dev.chatflow.message.ChatMessage;
import dev.chatflow.room.CloseReason;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The end of one connection: the reason of its close, the messages still accepted until then, and
 * whether it makes a LEAVE. Thread-safe; its state is guarded by the connection.
 */
final class ConnectionEnd {

  private static final long SPREAD_MILLIS = 5_000;

  private final ChatConnection connection;

  // Guarded by the connection.
  private @Nullable CloseReason closing;
  private boolean ended;
  private boolean makesNone;

  ConnectionEnd(ChatConnection connection) {
    this.connection = connection;
  }

  /**
   * Returns whether nothing is accepted any more. A frame may be inside this connection when
   * reading stops; accepted then, it would come back while some connections are closed already, and
   * only others would see it.
   */
  boolean takesNothing() {
    synchronized (connection) {
      return isClosing() || connection.pauses.has(Pauses.Reason.DRAIN);
    }
  }

  boolean isClosing() {
    synchronized (connection) {
      return closing != null || ended;
    }
  }

  /**
   * Closes the connection; the first of several reasons counts.
   *
   * @param withLeave whether its end makes a LEAVE regardless of the reason
   */
  void close(CloseReason reason, boolean withLeave) {
    synchronized (connection) {
      makesNone |= !withLeave && makesNoLeave(reason); // even if it is closed for another reason
      if (isClosing()) {
        return;
      }
      closing = reason;
      connection.pauses.freeze();
    }
    switch (reason) {
      case SLOW_CONSUMER -> connection.sink.cut(reason);
      case PEER_LOST -> connection.sink.abort(reason);
      default -> connection.sink.finish(reason, text(reason));
    }
  }

  /**
   * Returns whether a close for this reason makes no LEAVE. After a takeover a newer connection
   * holds the membership, unless a JOIN of this one is in flight, which may take it back. After a
   * gap the reader decides which LEAVEs are pending. A connection that has to reconnect, and whose
   * JOIN is not back, was never shown to any member.
   */
  private boolean makesNoLeave(CloseReason reason) {
    return switch (reason) {
      case TAKEN_OVER -> connection.joins.isBack();
      case GAP -> true;
      case COME_BACK -> !connection.joins.isBack();
      default -> false;
    };
  }

  private static String text(CloseReason reason) {
    if (reason != CloseReason.GOING_AWAY && reason != CloseReason.COME_BACK) {
      return reason.text();
    }
    long spread = ThreadLocalRandom.current().nextLong(SPREAD_MILLIS + 1);
    return "reconnect after " + spread + " ms";
  }

  /**
   * Reads the peer's answer to a close that was sent, which a paused connection would never see.
   * The container considers the connection closed already, but keeps its socket until the answer.
   * After a flood nothing more is read: the container waits a while and then ends it.
   */
  void readTheAnswer() {
    synchronized (connection) {
      if (closing != CloseReason.FLOOD) {
        connection.pauses.removeAll();
      }
    }
  }

  /** Prevents a LEAVE at the end of this connection. */
  void makeNoLeave() {
    synchronized (connection) {
      makesNone = true;
    }
  }

  /**
   * Notes that a LEAVE was published for the JOIN with this stamp; returns whether that is the
   * present one.
   */
  boolean wasLeft(long joinStamp) {
    synchronized (connection) {
      boolean isPresent = joinStamp == connection.joins.stamp() && connection.joins.isBack();
      makesNone |= isPresent;
      return isPresent;
    }
  }

  /**
   * Handles the end of the connection: its LEAVE is pending if it is still admitted. The lock is
   * held.
   */
  void ended() {
    if (ended) {
      return;
    }
    ended = true;
    connection.pauses.freeze();
    connection.joins.ended();
    Admission.Joined join = connection.admission.takeJoined();
    if (join != null && !makesNone) {
      ConnectionContext context = connection.context;
      ChatMessage.Origin origin = connection.origin();
      boolean joined = connection.joins.isBack();
      context.leaves().owe(join, connection.room, context.timer().millis(), origin, joined);
    }
  }
}
