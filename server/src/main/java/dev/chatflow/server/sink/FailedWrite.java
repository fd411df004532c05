package dev.chatflow.server.sink;

import dev.chatflow.room.CloseReason;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedChannelException;

/** The meaning of a failed write that was not abandoned. */
enum FailedWrite {
  /** The peer has read nothing for the container's timeout. */
  SLOW,
  /** The peer is lost. */
  LOST,
  /** The connection was closed during the write; its end is reported elsewhere. */
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

  /** Returns the reason to close the connection with. */
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
