package dev.chatflow.server.edge;

import dev.chatflow.room.RoomId;
import dev.chatflow.server.sink.Wire;
import dev.chatflow.server.sink.tomcat.Sinks;
import jakarta.websocket.CloseReason;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.MessageHandler;
import jakarta.websocket.PongMessage;
import jakarta.websocket.Session;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The WebSocket endpoint: one instance per connection, called by the container.
 *
 * <p>Text arrives in pieces, gathered up to the longest accepted frame, so the container needs only
 * a small buffer per connection.
 */
public final class ChatEndpoint extends Endpoint {

  /** The path template; the id is checked before the upgrade. */
  public static final String PATH = "/chat/{roomId}";

  static final String ARRIVAL = "chatflow.arrival";

  private final ConnectionRegistry connections;
  private final ConnectionContext context;
  private final Sinks sinks;
  private final Failures failures;
  private @Nullable ChatConnection connection;

  ChatEndpoint(
      ConnectionRegistry connections, ConnectionContext context, Sinks sinks, Failures failures) {
    this.connections = connections;
    this.context = context;
    this.sinks = sinks;
    this.failures = failures;
  }

  @Override
  public void onOpen(Session session, EndpointConfig config) {
    Wire wire = sinks.wire(session);
    Object arrival = Objects.requireNonNull(session.getUserProperties().get(ARRIVAL));
    switch ((Handshake.Arrival) arrival) {
      case Handshake.Arrival.Rejected(var reason, String text) -> wire.close(reason.code(), text);
      case Handshake.Arrival.Accepted came -> open(session, wire, came);
    }
  }

  private void open(Session session, Wire wire, Handshake.Arrival.Accepted came) {
    ChatConnection opened =
        connections.open(
            came.visitor(),
            id -> connection(id, session, wire, came),
            refusal -> refuse(wire, refusal));
    if (opened == null) {
      return;
    }
    connection = opened;
    session.addMessageHandler(
        String.class, new Gatherer(opened, context.config().rules().maxFrameBytes()));
    session.addMessageHandler(ByteBuffer.class, refuseBinary(opened));
    session.addMessageHandler(
        PongMessage.class, (MessageHandler.Whole<PongMessage>) _ -> opened.received());
  }

  private void refuse(Wire wire, ConnectionSlots.Refusal refusal) {
    context.meter().connectionRefused(refusal.name().toLowerCase(Locale.ROOT));
    wire.close(dev.chatflow.room.CloseReason.FULL.code(), refusal.text());
  }

  private ChatConnection connection(
      String id, Session session, Wire wire, Handshake.Arrival.Accepted came) {
    RoomId room = new RoomId(String.valueOf(session.getPathParameters().get("roomId")));
    return new ChatConnection(
        id,
        room,
        came.visitor(),
        wire,
        owner -> sinks.open(session, came.port(), wire, owner),
        context);
  }

  private static MessageHandler.Partial<ByteBuffer> refuseBinary(ChatConnection connection) {
    return (_, _) -> connection.close(dev.chatflow.room.CloseReason.BINARY);
  }

  @Override
  public void onClose(Session session, CloseReason reason) {
    ChatConnection ended = connection;
    if (ended != null) {
      context.meter().closed(reason.getCloseCode().getCode());
      ended.ended();
      connections.remove(ended);
    }
  }

  /**
   * Handles a vanished peer or a frame that the container rejected; the close follows. Any failure
   * other than an I/O error is a defect of the server.
   */
  @Override
  public void onError(Session session, Throwable failure) {
    failures.report(failure);
  }

  /** Joins the pieces of a message, within the limit. */
  static final class Gatherer implements MessageHandler.Partial<String> {
    /** A character has at most three bytes; a pair of surrogates has four. */
    private static final int BYTES_OF_A_CHAR = 3;

    private static final int MAX_FRAGMENTS = 64;

    private final ChatConnection connection;
    private final int maxBytes;
    private @Nullable StringBuilder pieces; // while a message arrives
    private int bytes;
    private int count;

    Gatherer(ChatConnection connection, int maxBytes) {
      this.connection = connection;
      this.maxBytes = maxBytes;
    }

    /**
     * Returns the maximum pieces of one message: its fragments, and the ends of the container's
     * buffer within them. Empty fragments would be unbounded otherwise.
     */
    private int maxPieces() {
      return MAX_FRAGMENTS + maxBytes / Handshake.TEXT_BUFFER;
    }

    @Override
    public void onMessage(String piece, boolean last) {
      connection.inbound().piece();
      if (last && count == 0 && piece.length() <= maxBytes / BYTES_OF_A_CHAR) {
        connection.inbound().receive(piece);
        return;
      }
      bytes += utf8Length(piece);
      count = last ? 0 : count + 1;
      if (bytes > maxBytes || count >= maxPieces()) {
        pieces = null;
        connection.close(dev.chatflow.room.CloseReason.TOO_BIG);
        return;
      }
      StringBuilder begun = pieces;
      if (last) {
        pieces = null;
        bytes = 0;
        connection.inbound().receive(begun == null ? piece : begun.append(piece).toString());
      } else if (begun == null) {
        pieces = new StringBuilder(piece);
      } else {
        begun.append(piece);
      }
    }

    /** Counts two bytes per surrogate, so that a pair split over two pieces counts four. */
    static int utf8Length(String text) {
      int length = 0;
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        length += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
      }
      return length;
    }
  }
}
