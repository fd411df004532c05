package dev.chatflow.server.edge;

import dev.chatflow.message.ChatMessage;
import dev.chatflow.room.RoomId;
import dev.chatflow.server.sink.DirectSink;
import dev.chatflow.server.sink.DirectWire;
import dev.chatflow.server.sink.Wire;
import org.jspecify.annotations.Nullable;

/** A connection as its container sees it: it delivers messages, and ends some time. */
public final class Peer {

  private final ConnectionRegistry registry;
  private final ChatConnection connection;

  private Peer(ConnectionRegistry registry, ChatConnection connection) {
    this.registry = registry;
    this.connection = connection;
  }

  /** Adds the pending LEAVE of a member's ended connection. */
  public static void oweLeave(ConnectionContext context, RoomId room, int userId) {
    var who = new Admission.Joined(Integer.toString(userId), "user" + userId);
    ChatMessage.Origin origin = new ChatMessage.Origin(context.serverId(), "s-1", "", 5);
    context.leaves().owe(who, room, 0, origin, true);
  }

  /** Opens one; null if all slots are taken. */
  public static @Nullable Peer open(
      ConnectionRegistry registry,
      ConnectionContext context,
      RoomId room,
      Wire wire,
      DirectWire out) {
    ChatConnection connection =
        registry.open(
            TestEdge.visitor(""),
            id ->
                new ChatConnection(
                    id,
                    room,
                    TestEdge.visitor(""),
                    wire,
                    owner ->
                        new DirectSink(
                            out, owner, context.timer(), context.config().sendDeadline()),
                    context),
            _ -> {});
    return connection == null ? null : new Peer(registry, connection);
  }

  public void receive(String frame) {
    connection.inbound().receive(frame);
  }

  public void ended() {
    connection.ended();
    registry.remove(connection);
  }
}
