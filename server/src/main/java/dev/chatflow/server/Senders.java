package dev.chatflow.server;

import dev.chatflow.consumer.room.Sessions;
import dev.chatflow.room.Shard;
import dev.chatflow.server.edge.Posts;
import dev.chatflow.server.edge.SessionRegistry;
import org.jspecify.annotations.Nullable;

/** All whose messages come back to this server: connections, and publishes over HTTP. */
record Senders(SessionRegistry sessions, Posts posts) implements Sessions {

  @Override
  public @Nullable Sender find(String session) {
    Sender connection = sessions.find(session);
    return connection != null ? connection : posts.find(session);
  }

  @Override
  public void continuityLost(Shard shard) {
    sessions.continuityLost(shard);
    posts.continuityLost(shard);
  }
}
