package dev.chatflow.server.edge;

import dev.chatflow.delivery.Connections;
import dev.chatflow.log.Stamp;
import dev.chatflow.message.Line;
import dev.chatflow.message.MessageType;
import dev.chatflow.room.CloseReason;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.Shard;
import dev.chatflow.room.UserDevice;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The open connections of this server by their ids. Thread-safe. */
public final class ConnectionRegistry implements Connections {

  private static final Logger log = LoggerFactory.getLogger(ConnectionRegistry.class);
  private static final int RADIX = 36;
  private static final int SERVER_HASHES = RADIX * RADIX * RADIX;

  private final ConnectionSlots slots;
  private final String idPrefix;
  private final PendingLeaves leaves;
  private final PendingJoins joins = new PendingJoins();
  private final AtomicLong lastId = new AtomicLong();
  private final Map<String, ChatConnection> connections = new ConcurrentHashMap<>();
  private final Map<String, Post> posts = new ConcurrentHashMap<>();
  private volatile boolean stopped;
  private volatile @Nullable CloseReason closed;
  private volatile List<ChatConnection> notified = List.of();

  /**
   * Creates an empty registry.
   *
   * @param bootEpoch makes ids unique over servers and boots, together with {@code serverId}
   * @param slots taken by its connections only
   */
  public ConnectionRegistry(
      String serverId, long bootEpoch, ConnectionSlots slots, PendingLeaves leaves) {
    this.slots = slots;
    this.idPrefix = idPrefix(serverId, bootEpoch);
    this.leaves = leaves;
  }

  /** Returns the prefix of the ids of all connections of one boot of a server. */
  static String idPrefix(String serverId, long bootEpoch) {
    long boot = bootEpoch * SERVER_HASHES + Math.floorMod(serverId.hashCode(), SERVER_HASHES);
    return Long.toString(boot, RADIX) + "-";
  }

  /** Returns whether no LEAVE of an ended connection is pending. */
  public boolean owesNothing() {
    return leaves.size() == 0;
  }

  /** Returns the JOINs of its connections that are not back. */
  public PendingJoins joins() {
    return joins;
  }

  /** Returns the posts in flight by their ids. */
  Map<String, Post> posts() {
    return posts;
  }

  String nextId() {
    return idPrefix + Long.toString(lastId.incrementAndGet(), RADIX);
  }

  /**
   * Takes a slot for a connection and opens it. If that fails, the slot is freed, because a drain
   * waits until all are free.
   *
   * @param visitor the client
   * @param make creates the connection with the given id
   * @param refused receives the reason if there is no slot
   * @return null if there is no slot
   */
  @Nullable ChatConnection open(
      Gate.Visitor visitor,
      Function<String, ChatConnection> make,
      Consumer<ConnectionSlots.Refusal> refused) {
    ConnectionSlots.Refusal refusal = slots.take(visitor.address(), visitor.isExempt());
    if (refusal != null) {
      refused.accept(refusal);
      return null;
    }
    ChatConnection connection = null;
    try {
      connection = make.apply(nextId());
      connections.put(connection.id, connection);
    } finally {
      if (connection == null) {
        slots.giveBack(visitor.address(), visitor.isExempt());
      }
    }
    endIfLate(connection);
    return connection;
  }

  /** Notifies a connection whose handshake had already passed when all others were notified. */
  private void endIfLate(ChatConnection connection) {
    if (stopped) {
      connection.stopReading();
    }
    CloseReason reason = closed;
    if (reason != null) {
      connection.close(reason);
    }
  }

  /** Frees the slot; a second call for the same connection does nothing. */
  void remove(ChatConnection connection) {
    if (connections.remove(connection.id, connection)) {
      Gate.Visitor visitor = connection.visitor;
      slots.giveBack(visitor.address(), visitor.isExempt());
    }
  }

  Collection<ChatConnection> all() {
    return connections.values();
  }

  /** Returns the number of open connections. */
  public int size() {
    return slots.taken();
  }

  /** Returns the maximum number of connections. */
  public int limit() {
    return slots.limit();
  }

  /** Returns the number of connections that are not read now. */
  public int paused() {
    return (int) connections.values().stream().filter(ChatConnection::isPaused).count();
  }

  @Override
  public @Nullable Sender find(String id) {
    ChatConnection open = connections.get(id);
    return open == null ? null : open.deliveries();
  }

  @Override
  public void wasRefused(Line.Message message) {
    String id = String.valueOf(message.connectionId());
    ChatConnection connection = connections.get(id);
    Post post = posts.get(id);
    if (connection != null && message.type() == MessageType.TEXT) {
      connection.deliveries().wasRefused(message.messageId());
    } else if (post != null) {
      post.refused();
    }
  }

  @Override
  public void joinWasRead(RoomId room, UserDevice who, Stamp stamp) {
    joins.joinRead(room, who, stamp);
  }

  @Override
  public void closeConcerned(Shard shard, CloseReason reason, boolean members) {
    int notified = 0;
    for (ChatConnection connection : connections.values()) {
      if (connection.shard().equals(shard)
          && (members ? connection.isConcerned() : connection.isAwaiting())) {
        connection.close(reason);
        notified++;
      }
    }
    log.warn("shard {}: {} connections notified: {}", shard.index(), notified, reason);
  }

  @Override
  public boolean isConcerned(Shard shard) {
    return connections.values().stream()
        .anyMatch(connection -> connection.shard().equals(shard) && connection.isConcerned());
  }

  @Override
  public Leaves leaves() {
    return leaves;
  }

  /** Stops reading from all connections; frames already read are not accepted. */
  public void stopReading() {
    stopped = true;
    connections.values().forEach(ChatConnection::stopReading);
  }

  /** Closes every connection for a stop of the server, each with its own time to reconnect. */
  public void closeAll(CloseReason reason) {
    closed = reason;
    notified = List.copyOf(connections.values());
    connections.values().forEach(connection -> connection.close(reason));
  }

  /**
   * Closes every present connection of a server that continues; connections that open later are
   * served.
   *
   * <p>Nothing is accepted from a connection once it was notified. Each one leaves its room, even
   * if its JOIN has not been shown yet.
   */
  public void tellAll(CloseReason reason) {
    connections.values().forEach(connection -> connection.closeWithLeave(reason));
  }

  /**
   * Returns whether all connections notified by {@link #closeAll} have answered or ended. Closing a
   * socket earlier breaks the connection of a peer that is still sending, and the close frame is
   * lost.
   */
  public boolean haveAnswered() {
    return notified.stream().allMatch(ChatConnection::hasAnswered);
  }

  /** Closes connections that send more pings and pongs than allowed. Called by one thread. */
  public void endFloods() {
    connections.values().forEach(ChatConnection::endIfFlood);
  }

  /** Closes the connections of a user, by their tokens or JOINs; returns their number. */
  public int closeUser(String userId) {
    List<ChatConnection> theirs =
        connections.values().stream().filter(each -> each.isOf(userId)).toList();
    theirs.forEach(connection -> connection.close(CloseReason.NO_ACCESS));
    return theirs.size();
  }

  /** Gives up: connections that end from now on make no LEAVE. */
  public void giveUp() {
    connections.values().forEach(ChatConnection::giveUp);
  }
}
