package dev.chatflow.server.sink;

import dev.chatflow.room.CloseReason;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedChannelException;

/** What it means when a write fails that nobody had given up. */
enum FailedWrite {
  /** The peer has read nothing for the container's timeout. */
  SLOW,
  /** The peer has gone. */
  LOST,
  /** The connection was closed meanwhile, by whomever: its end is told elsewhere. */
  CLOSED;

  static FailedWrite of(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof SocketTimeoutException) {
        return SLOW;
      }
      if (each instanceof ClosedChannelException) {
        return CLOSED;
      }
    }
    return LOST;
  }

  /** Why the connection ends. */
  CloseReason reason() {
    return this == SLOW ? CloseReason.SLOW_CONSUMER : CloseReason.PEER_LOST;
  }

  void tell(MemberSink.Owner owner) {
    switch (this) {
      case SLOW -> owner.timedOut();
      case LOST -> owner.peerLost();
      case CLOSED -> {}
    }
  }
}
