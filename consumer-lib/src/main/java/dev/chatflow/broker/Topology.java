package dev.chatflow.broker;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.ShutdownSignalException;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.Shard;
import java.io.IOException;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The names and arguments of all exchanges, queues and bindings; no other class contains them.
 *
 * <p>Stateless; declarations run on the channel or connection of the caller's thread.
 */
public final class Topology {

  /** The topic exchange for all chat messages. */
  public static final String EXCHANGE = "chat.exchange";

  /** The fanout exchange of {@link #DEAD_QUEUE}, which collects undecodable messages. */
  public static final String DEAD_EXCHANGE = "chat.dlx";

  public static final String DEAD_QUEUE = "chat.dead";

  /**
   * A queue without messages: its length limit is the cluster's number of shards, and its consumers
   * are the processes that use that number.
   */
  public static final String SHARDS_QUEUE = "chat.shards";

  /** The offset of an entry in a stream, also used as the start of a reading. */
  public static final String STREAM_OFFSET = "x-stream-offset";

  /** The age in seconds from which the embedded broker replays a ring to a new reader. */
  public static final String RING_REPLAY = "x-qpid-replay-period";

  public static final String RING_REPLAY_ALL = "2000000000";

  /** The reason of a dead letter. */
  public static final String HEADER_REASON = "x-reason";

  /** The delivery mode of messages that must survive a restart of the broker. */
  public static final int PERSISTENT = 2;

  private static final int DEAD_QUEUE_MAX_LENGTH = 10_000;

  /** Four windows by bytes: an attaching reader needs three. */
  private static final long LOG_MAX_BYTES = 256_000_000;

  /** A log is cut by whole segments, so it may be this much smaller than its bound. */
  private static final int LOG_SEGMENT_BYTES = 16_000_000;

  /** The newest bytes of a log that are kept in any case. */
  public static final long LOG_LEAST_BYTES = LOG_MAX_BYTES - LOG_SEGMENT_BYTES;

  /** Bytes of bodies that a log has on the embedded broker, in its server's memory. */
  public static final int RING_BYTES = 32_000_000;

  /**
   * Entries that a log has on the embedded broker, four windows. Each needs about 1.05 KB of heap
   * in addition to its body, 34 MB for a whole log (docs/adr/0009).
   */
  public static final int RING_ENTRIES = 32_768;

  private Topology() {}

  /** Returns the maximum disk space of this many logs, on each broker node. */
  public static long diskBytes(int shards) {
    return shards * (LOG_MAX_BYTES + LOG_SEGMENT_BYTES);
  }

  /** Returns the name of a shard's log. */
  public static String log(Shard shard) {
    return "chat.log." + shard.index();
  }

  /**
   * Returns whether the broker keeps logs as streams, with offsets; otherwise they are rings
   * without offsets.
   */
  public static boolean hasStreams(Connection connection) {
    return knowsArguments(connection);
  }

  /**
   * Ensures that a shard's log exists and is bound to the shard's messages. In a cluster it only
   * checks: a binding changes metadata on all nodes and would wait for a node that was just lost.
   *
   * @throws BrokerException also if a cluster has no such log: if servers created it, it would have
   *     no copy on nodes that are unavailable at that time
   */
  public static void declareLog(Connection connection, Shard shard, Nodes nodes)
      throws BrokerException {
    if (nodes == Nodes.ONE) {
      makeLog(connection, shard);
    } else if (!isThere(connection, log(shard))) {
      throw new BrokerException(
          log(shard)
              + " does not exist: in a cluster logs are created once, after all nodes have joined:"
              + " infra/rabbitmq/definitions --nodes 3 --shards N > definitions.json, then"
              + " rabbitmqctl import_definitions definitions.json");
    }
  }

  /**
   * Ensures that a shard's log exists for a program that only reads it. An existing log is not
   * changed: the servers bind it, and a reader's user has no permission.
   */
  public static void findLog(Connection connection, Shard shard, Nodes nodes)
      throws BrokerException {
    if (!isThere(connection, log(shard))) {
      asServersDo(() -> declareLog(connection, shard, nodes));
    }
  }

  /**
   * Creates a shard's log if it does not exist, and binds it to the shard's messages. In a cluster
   * it gets a copy only on the nodes that are available now.
   */
  public static void makeLog(Connection connection, Shard shard) throws BrokerException {
    String log = log(shard);
    if (!isThere(connection, log)) {
      OwnChannel.run(
          connection,
          "declare queue " + log,
          channel -> channel.queueDeclare(log, true, false, false, logArguments(connection)));
    }
    OwnChannel.run(connection, "bind " + log, channel -> bind(channel, log, shard));
  }

  private static Map<String, Object> logArguments(Connection connection) {
    return hasStreams(connection)
        ? Map.of(
            "x-queue-type",
            "stream",
            "x-max-length-bytes",
            LOG_MAX_BYTES,
            "x-stream-max-segment-size-bytes",
            LOG_SEGMENT_BYTES,
            "x-queue-leader-locator",
            "balanced")
        : Map.of(
            "qpid.ensure_nondestructive_consumers",
            "true",
            "qpid.max_size",
            RING_BYTES,
            "qpid.max_count",
            RING_ENTRIES,
            "qpid.policy_type",
            "ring");
  }

  /** Returns the pattern for all messages of a shard, with one room or several. */
  public static String bindingKey(Shard shard) {
    return routingKey(shard) + ".#";
  }

  /**
   * Returns the routing key of an AMQP message with several rooms of the shard, and of a beacon.
   */
  public static String routingKey(Shard shard) {
    return "room.s" + shard.index();
  }

  /** Returns the routing key of an AMQP message with one room. */
  public static String routingKey(Shard shard, RoomId room) {
    return routingKey(shard) + "." + room;
  }

  /**
   * Declares the objects shared by all servers, and checks that they agree on the number of shards.
   *
   * @throws ShardMismatchException if the cluster has a different number of shards
   */
  public static void declareShared(Connection connection, int shards, Nodes nodes)
      throws BrokerException {
    declareRoutes(connection, nodes);
    declareShards(connection, nodes.durable(Map.of("x-max-length", shards)));
  }

  /**
   * Creates the missing logs of all shards, because a program that only reads waits for all of them
   * and may not create any. In a cluster the operator creates them once.
   */
  public static void declareLogs(Connection connection, int shards, Nodes nodes)
      throws BrokerException {
    for (int index = 0; nodes == Nodes.ONE && index < shards; index++) {
      if (!isThere(connection, log(new Shard(index)))) {
        makeLog(connection, new Shard(index));
      }
    }
  }

  /**
   * Declares objects again that were deleted while a server runs: an exchange, and its bindings.
   */
  public static void restore(Connection connection, int shards, Nodes nodes)
      throws BrokerException {
    boolean isMissing =
        !OwnChannel.found(connection, channel -> channel.exchangeDeclarePassive(EXCHANGE));
    declareRoutes(connection, nodes);
    for (int index = 0; isMissing && index < shards; index++) {
      Shard shard = new Shard(index);
      OwnChannel.found(connection, channel -> bind(channel, log(shard), shard));
    }
  }

  private static void declareRoutes(Connection connection, Nodes nodes) throws BrokerException {
    makeExchange(connection, EXCHANGE, BuiltinExchangeType.TOPIC);
    boolean isUnbound = makeExchange(connection, DEAD_EXCHANGE, BuiltinExchangeType.FANOUT);
    declareDeadQueue(connection, nodes, isUnbound);
  }

  /**
   * Checks the objects shared by all servers for a program that only reads, including the number of
   * shards. A user without permission to declare the number finds it by the logs.
   *
   * @return false if no server has declared a number yet
   * @throws ShardMismatchException if the cluster has a different number of shards
   */
  @CanIgnoreReturnValue
  public static boolean findShared(Connection connection, int shards, Nodes nodes)
      throws BrokerException {
    declareRoutes(connection, nodes);
    if (!isThere(connection, SHARDS_QUEUE)) {
      return false;
    }
    boolean isMore = isThere(connection, log(new Shard(shards)));
    if (isMore || !isThere(connection, log(new Shard(shards - 1)))) {
      compareShards(connection, shards, nodes, isMore);
    }
    return true;
  }

  private static void compareShards(Connection connection, int shards, Nodes nodes, boolean isMore)
      throws BrokerException {
    try {
      asServersDo(() -> declareShared(connection, shards, nodes));
    } catch (BrokerException e) {
      if (isMore && BrokerReply.code(e) == AMQP.ACCESS_REFUSED) {
        throw new ShardMismatchException(
            "this program has CHATFLOW_SHARDS="
                + shards
                + ", but the broker has a log "
                + log(new Shard(shards))
                + ": set the servers' CHATFLOW_SHARDS",
            e);
      }
      throw e;
    }
  }

  private interface Declaration {
    void run() throws BrokerException;
  }

  /** Declares what servers declare; without permission, the caller has to wait for a server. */
  private static void asServersDo(Declaration declaration) throws BrokerException {
    try {
      declaration.run();
    } catch (BrokerException e) {
      if (BrokerReply.code(e.getCause()) != AMQP.ACCESS_REFUSED) {
        throw e;
      }
      throw new BrokerException(
          "the broker does not have the logs of all shards: start a server with the same"
              + " CHATFLOW_SHARDS, which creates them ("
              + e.getMessage()
              + ")",
          e);
    }
  }

  /** Declares the number of shards if no server has done so yet. */
  public static void startShards(Connection connection, int shards, Nodes nodes)
      throws BrokerException {
    asServersDo(() -> declareShared(connection, shards, nodes));
  }

  private static boolean isThere(Connection connection, String queue) throws BrokerException {
    return OwnChannel.found(connection, channel -> channel.queueDeclarePassive(queue));
  }

  /**
   * Creates an exchange if it does not exist. It checks first, because a user without the configure
   * permission may still use it. Returns true if it was created, without bindings.
   */
  @CanIgnoreReturnValue
  private static boolean makeExchange(Connection connection, String name, BuiltinExchangeType type)
      throws BrokerException {
    if (OwnChannel.found(connection, channel -> channel.exchangeDeclarePassive(name))) {
      return false;
    }
    OwnChannel.run(
        connection,
        "declare exchange " + name,
        channel -> channel.exchangeDeclare(name, type, true));
    return true;
  }

  private static void declareDeadQueue(Connection connection, Nodes nodes, boolean isUnbound)
      throws BrokerException {
    if (isThere(connection, DEAD_QUEUE) && !isUnbound) {
      return;
    }
    OwnChannel.run(
        connection,
        "declare queue " + DEAD_QUEUE,
        channel -> {
          Map<String, Object> bound = Map.of("x-max-length", DEAD_QUEUE_MAX_LENGTH);
          declareDurable(channel, DEAD_QUEUE, nodes.durable(bound));
          channel.queueBind(DEAD_QUEUE, DEAD_EXCHANGE, "");
        });
  }

  private static void declareShards(Connection connection, Map<String, Object> arguments)
      throws BrokerException {
    try {
      OwnChannel.run(
          connection,
          "declare queue " + SHARDS_QUEUE,
          channel -> declareDurable(channel, SHARDS_QUEUE, arguments));
    } catch (BrokerException e) {
      String text = BrokerReply.text(e.getCause());
      if (BrokerReply.code(e.getCause()) != AMQP.PRECONDITION_FAILED) {
        throw e;
      }
      if (text.contains("x-queue-type")) {
        throw new BrokerException(
            "queue "
                + SHARDS_QUEUE
                + " was created for another kind of broker, a single node or a cluster: "
                + text
                + "; stop all servers and delete it",
            e);
      }
      throw new ShardMismatchException(
          "this server has CHATFLOW_SHARDS="
              + arguments.get("x-max-length")
              + ", but the cluster on this broker runs with another number: "
              + text
              + "; set the cluster's number, or stop all servers and change it: ./chatflow shards N",
          e);
    }
  }

  /**
   * Marks this process as a user of the cluster's number of shards until its connection ends.
   *
   * @param gone called on the thread that reads the connection if the number was deleted; must not
   *     park
   */
  public static void holdShards(Connection connection, Runnable gone) throws BrokerException {
    Channel channel = OwnChannel.open(connection, "hold " + SHARDS_QUEUE);
    try {
      channel.basicConsume(
          SHARDS_QUEUE,
          true,
          new DefaultConsumer(channel) {
            @Override
            public void handleCancel(String consumerTag) {
              gone.run();
            }
          });
    } catch (IOException | ShutdownSignalException e) {
      OwnChannel.close(channel);
      throw new BrokerException("cannot hold " + SHARDS_QUEUE + ": " + BrokerReply.text(e), e);
    }
  }

  /** Deletes a queue with its messages, if it exists. */
  public static void delete(Connection connection, String queue) throws BrokerException {
    OwnChannel.found(connection, channel -> channel.queueDelete(queue));
  }

  /**
   * Returns the number of readers of a queue; for a log the broker may report 0. Empty if there is
   * no such queue.
   */
  public static OptionalInt readers(Connection connection, String queue) throws BrokerException {
    int[] readers = {0};
    boolean found =
        OwnChannel.found(
            connection,
            channel -> readers[0] = channel.queueDeclarePassive(queue).getConsumerCount());
    return found ? OptionalInt.of(readers[0]) : OptionalInt.empty();
  }

  /**
   * Returns the number of AMQP messages waiting in a queue; on the embedded broker also those in
   * flight.
   */
  public static long depth(Connection connection, String queue) throws BrokerException {
    long[] depth = {0};
    OwnChannel.run(
        connection,
        "look at queue " + queue,
        channel -> depth[0] = channel.queueDeclarePassive(queue).getMessageCount());
    return depth[0];
  }

  public static void bind(Channel channel, String queue, Shard shard) throws IOException {
    channel.queueBind(queue, EXCHANGE, bindingKey(shard));
  }

  public static void unbind(Channel channel, String queue, Shard shard) throws IOException {
    channel.queueUnbind(queue, EXCHANGE, bindingKey(shard));
  }

  /** Returns whether the broker supports queue arguments; the embedded one ignores ChatFlow's. */
  private static boolean knowsArguments(Connection connection) {
    return "RabbitMQ".equals(String.valueOf(connection.getServerProperties().get("product")));
  }

  private static void declareDurable(Channel channel, String queue, Map<String, Object> arguments)
      throws IOException {
    channel.queueDeclare(
        queue, true, false, false, knowsArguments(channel.getConnection()) ? arguments : Map.of());
  }
}
