package dev.chatflow.consumer.room;

import dev.chatflow.message.ChatMessage;
import dev.chatflow.room.Member;
import dev.chatflow.room.Shard;
import org.jspecify.annotations.Nullable;

/**
 * The connections of this server, as the consuming side sees them. Any thread may call; no call
 * parks its caller.
 */
public interface Sessions {

  /** Whose messages come back: a connection, or one publish over HTTP. */
  interface Sender {

    /** The connection as its room sees it; null for one that cannot join. */
    @Nullable Member member();

    /** Opens the connection's window by {@code messages} of its own that came back. */
    void cameBack(int messages);

    /** Tells the sender alone that its resend had been shown already. */
    void resendWasShown(ChatMessage resend);
  }

  /** The open connection, or the publish under way, with this id on this server; or null. */
  @Nullable Sender find(String session);

  /**
   * Messages of a shard may be missing: closes every connection that is a member in it or has an
   * own message under way in it; publishes over HTTP wait for their lines no longer.
   */
  void continuityLost(Shard shard);
}
