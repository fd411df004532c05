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
 * Every name and argument of exchanges, queues and bindings; the only place that knows them.
 *
 * <p>Stateless; declarations run on the channel or connection of the caller's thread.
 */
public final class Topology {

  /** The topic exchange that takes every chat message. */
  public static final String EXCHANGE = "chat.exchange";

  /** The fanout exchange behind which {@link #DEAD_QUEUE} collects messages nobody can decode. */
  public static final String DEAD_EXCHANGE = "chat.dlx";

  public static final String DEAD_QUEUE = "chat.dead";

  /**
   * Never used for messages: its length limit is the number of shards of the cluster, its consumers
   * are the processes that work with that number.
   */
  public static final String SHARDS_QUEUE = "chat.shards";

  /** Where an entry stands in a stream; and where to begin to read one. */
  public static final String STREAM_OFFSET = "x-stream-offset";

  /** From how far back, in seconds, the embedded broker shows a reader what a ring holds. */
  public static final String RING_REPLAY = "x-qpid-replay-period";

  public static final String RING_REPLAY_ALL = "2000000000";

  /** Why a dead letter is one. */
  public static final String HEADER_REASON = "x-reason";

  /** The delivery mode of whatever must survive a restart of the broker. */
  public static final int PERSISTENT = 2;

  private static final int DEAD_QUEUE_MAX_LENGTH = 10_000;

  /** Four windows by bytes: an attaching reader wants three. */
  private static final long LOG_MAX_BYTES = 256_000_000;

  /** A log is cut by whole segments: so much less than its bound may be left of it. */
  private static final int LOG_SEGMENT_BYTES = 16_000_000;

  /** So much of what was published last is in a log, whatever was cut. */
  public static final long LOG_LEAST_BYTES = LOG_MAX_BYTES - LOG_SEGMENT_BYTES;

  /** What the embedded broker holds of a log, in its server's memory: bytes of bodies. */
  public static final int RING_BYTES = 32_000_000;

  /**
   * And entries, four windows: each costs the heap some 1.05 KB beside its body, so that all of a
   * log take 34 MB (docs/adr/0009).
   */
  public static final int RING_ENTRIES = 32_768;

  private Topology() {}

  /** Bytes that the logs of so many shards take at most, of the disk of each broker. */
  public static long diskBytes(int shards) {
    return shards * (LOG_MAX_BYTES + LOG_SEGMENT_BYTES);
  }

  /** The log of a shard. */
  public static String log(Shard shard) {
    return "chat.log." + shard.index();
  }

  /** Whether the broker keeps logs as streams, with offsets; else they are rings without. */
  public static boolean hasStreams(Connection connection) {
    return knowsArguments(connection);
  }

  /**
   * Makes sure that a shard's log is there and bound to the shard's messages. Of a cluster it only
   * asks: a binding changes what all nodes know, and waits for a node that has just been lost.
   *
   * @throws BrokerException also when a cluster has no such log: one that was made by whoever needs
   *     it would have no copy on nodes that are away just then
   */
  public static void declareLog(Connection connection, Shard shard, Nodes nodes)
      throws BrokerException {
    if (nodes == Nodes.ONE) {
      makeLog(connection, shard);
    } else if (!isThere(connection, log(shard))) {
      throw new BrokerException(
          log(shard)
              + " does not exist: in a cluster logs are made once, when all nodes have joined:"
              + " infra/rabbitmq/definitions --nodes 3 --shards N > definitions.json, then"
              + " rabbitmqctl import_definitions definitions.json");
    }
  }

  /**
   * Makes sure that a shard's log is there when a program only reads it. A log that exists is left
   * as it is: the servers bind it, and a reader's user has no right to.
   */
  public static void findLog(Connection connection, Shard shard, Nodes nodes)
      throws BrokerException {
    if (!isThere(connection, log(shard))) {
      asServersDo(() -> declareLog(connection, shard, nodes));
    }
  }

  /**
   * Makes a shard's log, unless it is there, and binds it to the shard's messages. In a cluster it
   * gets a copy on each node that is there now, and on no other.
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

  /** Matches every message of a shard, whether for one room or several. */
  public static String bindingKey(Shard shard) {
    return routingKey(shard) + ".#";
  }

  /** For an AMQP message that holds several rooms of the shard, and for a beacon. */
  public static String routingKey(Shard shard) {
    return "room.s" + shard.index();
  }

  /** For an AMQP message that holds one room. */
  public static String routingKey(Shard shard, RoomId room) {
    return routingKey(shard) + "." + room;
  }

  /**
   * Declares what all servers share, and checks that they agree on the number of shards.
   *
   * @throws ShardMismatchException when the cluster has another number of shards
   */
  public static void declareShared(Connection connection, int shards, Nodes nodes)
      throws BrokerException {
    declareRoutes(connection, nodes);
    declareShards(connection, nodes.durable(Map.of("x-max-length", shards)));
  }

  /**
   * Makes the logs of all shards, unless they are there: a program that only reads waits for all of
   * them and may not make any. In a cluster they are made once, by hand.
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
   * Declares again what was deleted under a running server: an exchange, and the bindings that went
   * with it.
   */
  public static void restore(Connection connection, int shards, Nodes nodes)
      throws BrokerException {
    boolean isGone =
        !OwnChannel.found(connection, channel -> channel.exchangeDeclarePassive(EXCHANGE));
    declareRoutes(connection, nodes);
    for (int index = 0; isGone && index < shards; index++) {
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
   * Finds what the servers share when a program only reads, and checks that it agrees on the number
   * of shards. The logs show the number to a user that may not declare it.
   *
   * @return false when no server has declared a number yet
   * @throws ShardMismatchException when the cluster has another number of shards
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

  /** Declares what servers declare; a user without the right to it has to wait for them. */
  private static void asServersDo(Declaration declaration) throws BrokerException {
    try {
      declaration.run();
    } catch (BrokerException e) {
      if (BrokerReply.code(e.getCause()) != AMQP.ACCESS_REFUSED) {
        throw e;
      }
      throw new BrokerException(
          "the broker does not have the logs of all shards: start a server with the same"
              + " CHATFLOW_SHARDS, which makes them ("
              + e.getMessage()
              + ")",
          e);
    }
  }

  /** Declares the servers' number of shards where no server has done so yet. */
  public static void startShards(Connection connection, int shards, Nodes nodes)
      throws BrokerException {
    asServersDo(() -> declareShared(connection, shards, nodes));
  }

  private static boolean isThere(Connection connection, String queue) throws BrokerException {
    return OwnChannel.found(connection, channel -> channel.queueDeclarePassive(queue));
  }

  /**
   * Asks first whether the exchange exists: a user without the right to configure it may still use
   * it. Returns true when it was made, without bindings.
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
                + " was made for another kind of broker, one node or several: "
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
   * Shows everybody that this process works with the cluster's number of shards, until its
   * connection ends.
   *
   * @param gone called, on a thread of the connection, when somebody has deleted the number
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

  /** Deletes a queue with what lies in it, if there is one. */
  public static void delete(Connection connection, String queue) throws BrokerException {
    OwnChannel.found(connection, channel -> channel.queueDelete(queue));
  }

  /** How many read a queue; of a log that may be told as 0. Empty when there is no such queue. */
  public static OptionalInt readers(Connection connection, String queue) throws BrokerException {
    int[] readers = {0};
    boolean found =
        OwnChannel.found(
            connection,
            channel -> readers[0] = channel.queueDeclarePassive(queue).getConsumerCount());
    return found ? OptionalInt.of(readers[0]) : OptionalInt.empty();
  }

  /** How many AMQP messages wait in a queue; on the embedded broker those under way too. */
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

  /** Whether the broker honours queue arguments; the embedded one knows none of ours. */
  private static boolean knowsArguments(Connection connection) {
    return "RabbitMQ".equals(String.valueOf(connection.getServerProperties().get("product")));
  }

  private static void declareDurable(Channel channel, String queue, Map<String, Object> arguments)
      throws IOException {
    channel.queueDeclare(
        queue, true, false, false, knowsArguments(channel.getConnection()) ? arguments : Map.of());
  }
}
