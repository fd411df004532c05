package dev.chatflow.delivery;

import dev.chatflow.delivery.Connections.Sender;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Groups the returned messages of one entry by connection, so that each connection is looked up
 * once and its window opened once.
 *
 * <p>Used by one reader.
 */
final class Returns {

  private static final class Share {
    private final Sender sender;
    private int messages;

    Share(Sender sender) {
      this.sender = sender;
    }
  }

  private final Connections connections;
  private final Map<String, Share> shares = new HashMap<>();

  Returns(Connections connections) {
    this.connections = connections;
  }

  /** Counts one message of a connection; null if the connection is not open on this server. */
  @Nullable Sender count(String connectionId) {
    Share share = shares.get(connectionId);
    if (share == null) {
      Sender sender = connections.find(connectionId);
      if (sender == null) {
        return null;
      }
      share = new Share(sender);
      shares.put(connectionId, share);
    }
    share.messages++;
    return share.sender;
  }

  /** Opens the windows of all counted connections. */
  void tell() {
    shares.values().forEach(share -> share.sender.cameBack(share.messages));
    shares.clear();
  }
}
