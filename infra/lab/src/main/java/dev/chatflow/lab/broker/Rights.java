package dev.chatflow.lab.broker;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.ShutdownSignalException;
import dev.chatflow.broker.BrokerConfig;
import dev.chatflow.broker.BrokerConnector;
import dev.chatflow.broker.BrokerException;
import dev.chatflow.broker.BrokerReply;
import dev.chatflow.broker.Nodes;
import dev.chatflow.broker.Topology;
import dev.chatflow.room.Shard;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/**
 * Tries each operation on each exchange and queue as each user of a broker, and prints which ones
 * the broker allows: {@code OPERATION<tab>USER<tab>yes|no}.
 *
 * <p>Arguments: {@code USER=URI}, the last with all rights. That user restores deleted objects.
 */
public final class Rights {

  private static final int SHARDS = 4;
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final long CONFIRM_MILLIS = 5_000;
  private static final Shard SHARD = new Shard(2);
  private static final String LOG = Topology.log(SHARD);
  private static final String ROOM = Topology.bindingKey(SHARD);

  /** An exchange with the name of a shard log. */
  private static final String FORGED_LOG = Topology.log(new Shard(SHARDS + 1));

  private interface Operation {
    void run(Channel channel) throws IOException, InterruptedException, TimeoutException;
  }

  private final Connection admin;
  private final Map<String, Operation> operations = new LinkedHashMap<>();

  private Rights(Connection admin) {
    this.admin = admin;
    exchanges();
    queues();
    logs();
    forgeries();
  }

  private void exchanges() {
    operations.put("publish to `chat.exchange`", publish(Topology.EXCHANGE, "room.s2.1"));
    operations.put("publish to `chat.exchange`, key not of a room", publish("chat.exchange", "x"));
    operations.put("publish to `chat.dlx`", publish(Topology.DEAD_EXCHANGE, ""));
    operations.put("publish to a queue by the default exchange", publish("", LOG));
    operations.put("publish to `amq.topic`", publish("amq.topic", "room.s2.1"));
    for (String name : new String[] {Topology.EXCHANGE, Topology.DEAD_EXCHANGE}) {
      operations.put("declare `%s`".formatted(name), channel -> declare(channel, name));
      operations.put("delete `%s`".formatted(name), channel -> channel.exchangeDelete(name));
    }
    operations.put(
        "bind `chat.dlx` to `chat.exchange`",
        channel -> channel.exchangeBind(Topology.DEAD_EXCHANGE, Topology.EXCHANGE, ROOM));
  }

  private void queues() {
    on(Topology.SHARDS_QUEUE, Topology.SHARDS_QUEUE);
    on(Topology.DEAD_QUEUE, Topology.DEAD_QUEUE);
  }

  private void on(String queue, String name) {
    operations.put("declare `%s`".formatted(name), channel -> declareAgain(channel, queue));
    operations.put("delete `%s`".formatted(name), channel -> channel.queueDelete(queue));
    operations.put("read `%s`".formatted(name), consume(queue));
    operations.put("get from `%s`".formatted(name), channel -> channel.basicGet(queue, false));
    operations.put("purge `%s`".formatted(name), channel -> channel.queuePurge(queue));
    operations.put("bind `%s` to `chat.exchange`".formatted(name), bind(queue, "chat.exchange"));
    operations.put("unbind `%s` from `chat.exchange`".formatted(name), unbind(queue));
  }

  private void logs() {
    operations.put("declare `chat.log.N`", channel -> declareAgain(channel, LOG));
    operations.put("delete `chat.log.N`", channel -> channel.queueDelete(LOG));
    operations.put("read `chat.log.N`", consume(LOG));
    operations.put("bind `chat.log.N` to `chat.exchange`", bind(LOG, Topology.EXCHANGE));
    operations.put("unbind `chat.log.N` from `chat.exchange`", unbind(LOG));
    operations.put("bind `chat.log.N` to `chat.dlx`", bind(LOG, Topology.DEAD_EXCHANGE));
  }

  /** Tries each way to add a message to a shard log without publishing to the exchange. */
  private void forgeries() {
    operations.put("declare an exchange `chat.evil`", channel -> declare(channel, "chat.evil"));
    operations.put("declare an exchange `chat.log.N`", channel -> declare(channel, FORGED_LOG));
    operations.put("declare an exchange `other`", channel -> declare(channel, "other"));
    operations.put(
        "declare a queue `chat.evil`", channel -> declareNew(channel, "chat.evil", Map.of()));
    operations.put("declare a queue `other`", channel -> declareNew(channel, "other", Map.of()));
    operations.put("declare a queue named by the broker", channel -> channel.queueDeclare());
    operations.put("publish to an exchange `chat.log.N`", publish(FORGED_LOG, "room.s2.1"));
    operations.put("bind `chat.log.N` to an exchange `chat.log.N`", bind(LOG, FORGED_LOG));
  }

  // --- operations

  private static Operation publish(String exchange, String key) {
    return channel -> {
      channel.confirmSelect();
      channel.basicPublish(exchange, key, null, new byte[] {1});
      channel.waitForConfirmsOrDie(CONFIRM_MILLIS);
    };
  }

  private static Operation consume(String queue) {
    return channel -> {
      channel.basicQos(1);
      channel.basicConsume(queue, false, new DefaultConsumer(channel));
    };
  }

  private static Operation bind(String queue, String exchange) {
    return channel -> channel.queueBind(queue, exchange, ROOM);
  }

  private static Operation unbind(String queue) {
    return channel -> channel.queueUnbind(queue, Topology.EXCHANGE, ROOM);
  }

  private static void declare(Channel channel, String exchange) throws IOException {
    boolean dead = exchange.equals(Topology.DEAD_EXCHANGE);
    channel.exchangeDeclare(exchange, dead ? "fanout" : "topic", true);
  }

  private static void declareNew(Channel channel, String queue, Map<String, Object> arguments)
      throws IOException {
    channel.queueDeclare(queue, true, false, false, arguments);
  }

  /** Declares a queue again: the broker checks rights before it compares arguments. */
  private static void declareAgain(Channel channel, String queue) throws IOException {
    try {
      declareNew(channel, queue, Map.of());
    } catch (IOException e) {
      if (BrokerReply.code(e) != AMQP.PRECONDITION_FAILED) {
        throw e;
      }
    }
  }

  // --- one user

  private void tryAll(String user, Connection connection, PrintStream out) throws Exception {
    for (Map.Entry<String, Operation> each : operations.entrySet()) {
      restore();
      boolean allowed = isAllowed(connection, each.getKey(), each.getValue());
      out.println(each.getKey() + "\t" + user + "\t" + (allowed ? "yes" : "no"));
    }
  }

  private static boolean isAllowed(Connection connection, String what, Operation operation)
      throws Exception {
    Channel channel = connection.createChannel();
    try {
      operation.run(channel);
      return true;
    } catch (IOException | ShutdownSignalException e) {
      if (BrokerReply.code(e) != AMQP.ACCESS_REFUSED) {
        throw new IOException(what + ": " + BrokerReply.text(e), e);
      }
      return false;
    } finally {
      channel.abort();
    }
  }

  private void restore() throws BrokerException, IOException, TimeoutException {
    Topology.declareShared(admin, SHARDS, Nodes.ONE);
    Topology.makeLog(admin, SHARD);
    for (String queue : new String[] {"other", "chat.evil"}) {
      Topology.delete(admin, queue);
    }
    try (Channel channel = admin.createChannel()) {
      channel.exchangeDelete("other");
      channel.exchangeDelete("chat.evil");
      declare(channel, FORGED_LOG);
      channel.exchangeUnbind(Topology.DEAD_EXCHANGE, Topology.EXCHANGE, ROOM);
    }
  }

  public static void main(String... arguments) throws Exception {
    String last = arguments[arguments.length - 1];
    try (BrokerConnector admin = connector(last)) {
      Rights rights = new Rights(admin.await(PATIENCE));
      for (String argument : arguments) {
        try (BrokerConnector user = connector(argument)) {
          rights.tryAll(argument.split("=", 2)[0], user.await(PATIENCE), System.out);
        }
      }
    }
  }

  private static BrokerConnector connector(String argument) throws BrokerException {
    String[] parts = argument.split("=", 2);
    BrokerConnector connector =
        new BrokerConnector(BrokerConfig.parse(parts[1]), parts[0], "chatflow rights");
    connector.start();
    return connector;
  }
}
