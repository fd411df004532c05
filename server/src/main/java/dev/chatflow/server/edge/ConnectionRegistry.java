package dev.chatflow.server.edge;

import dev.chatflow.delivery.Connections;
import dev.chatflow.log.Stamp;
import dev.chatflow.room.CloseReason;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.Shard;
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
  private volatile boolean stopped;
  private volatile @Nullable CloseReason closed;
  private volatile List<ChatConnection> notified = List.of();

  /**
   * Makes an empty registry.
   *
   * @param bootEpoch with {@code serverId} makes ids unique over servers and boots
   * @param slots taken by its connections only
   */
  public ConnectionRegistry(
      String serverId, long bootEpoch, ConnectionSlots slots, PendingLeaves leaves) {
    this.slots = slots;
    this.idPrefix = idPrefix(serverId, bootEpoch);
    this.leaves = leaves;
  }

  /** The beginning of the ids of all connections of one boot of a server. */
  static String idPrefix(String serverId, long bootEpoch) {
    long boot = bootEpoch * SERVER_HASHES + Math.floorMod(serverId.hashCode(), SERVER_HASHES);
    return Long.toString(boot, RADIX) + "-";
  }

  /** Whether every LEAVE of connections that have ended has been read back, or is owed no more. */
  public boolean owesNothing() {
    return leaves.size() == 0;
  }

  /** The JOINs of its connections that are not back. */
  public PendingJoins joins() {
    return joins;
  }

  String nextId() {
    return idPrefix + Long.toString(lastId.incrementAndGet(), RADIX);
  }

  /**
   * Takes a place for a connection and opens it there. When that fails the place is free again,
   * because a drain waits until all are.
   *
   * @param visitor whose connection it is
   * @param make makes the connection with the id it is given
   * @param refused takes the reason when there is no place
   * @return null when there is none
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

  /** What all others were notified when its handshake had passed already. */
  private void endIfLate(ChatConnection connection) {
    if (stopped) {
      connection.stopReading();
    }
    CloseReason reason = closed;
    if (reason != null) {
      connection.close(reason);
    }
  }

  /** Gives the place back; a second call for the same connection does nothing. */
  void remove(ChatConnection connection) {
    if (connections.remove(connection.id, connection)) {
      Gate.Visitor visitor = connection.visitor;
      slots.giveBack(visitor.address(), visitor.isExempt());
    }
  }

  Collection<ChatConnection> all() {
    return connections.values();
  }

  /** Open connections. */
  public int size() {
    return slots.taken();
  }

  /** Connections that are let in. */
  public int limit() {
    return slots.limit();
  }

  /** Connections that are not read now. */
  public int paused() {
    return (int) connections.values().stream().filter(ChatConnection::isPaused).count();
  }

  @Override
  public @Nullable Sender find(String id) {
    ChatConnection open = connections.get(id);
    return open == null ? null : open.deliveries();
  }

  @Override
  public void joinWasRead(RoomId room, String userId, Stamp stamp) {
    joins.joinRead(room, userId, stamp);
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

  /** No connection is read any more, and nothing of what was read is taken. */
  public void stopReading() {
    stopped = true;
    connections.values().forEach(ChatConnection::stopReading);
  }

  /** Closes every connection for a stop of the server, each notified its own time to come back. */
  public void closeAll(CloseReason reason) {
    closed = reason;
    notified = List.copyOf(connections.values());
    connections.values().forEach(connection -> connection.close(reason));
  }

  /**
   * Closes every connection there is, in a server that goes on: those that open later are served.
   *
   * <p>Once it is notified nothing more is taken from a connection. Each leaves its room, also
   * where its JOIN is still to be shown.
   */
  public void tellAll(CloseReason reason) {
    connections.values().forEach(connection -> connection.closeWithLeave(reason));
  }

  /**
   * Whether all that {@link #closeAll} notified have answered, or have gone. A socket that ends
   * before breaks the connection of a peer that still talks, and the close it was sent is lost.
   */
  public boolean haveAnswered() {
    return notified.stream().allMatch(ChatConnection::hasAnswered);
  }

  /** Closes connections that send more pings and pongs than they may; one thread's. */
  public void endFloods() {
    connections.values().forEach(ChatConnection::endIfFlood);
  }

  /** Closes the connections of a user, by their tokens or their JOINs; how many they were. */
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
