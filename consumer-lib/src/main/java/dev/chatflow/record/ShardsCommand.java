package dev.chatflow.record;

import com.rabbitmq.client.Connection;
import dev.chatflow.broker.BrokerConfig;
import dev.chatflow.broker.BrokerConnector;
import dev.chatflow.broker.BrokerException;
import dev.chatflow.broker.Nodes;
import dev.chatflow.broker.ShardMismatchException;
import dev.chatflow.broker.Topology;
import dev.chatflow.room.Shard;
import dev.chatflow.support.ConfigException;
import dev.chatflow.support.ConfigSource;
import java.io.PrintStream;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The {@code shards} command: changes the number of shards of a cluster whose servers are all
 * stopped.
 */
@Command(
    name = "shards",
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true,
    description = {
      "Changes the number of shards, into which all rooms are divided, on the broker. All servers"
          + " and standalone consumers must be stopped; otherwise the change is refused.",
      "The logs of all shards are deleted, so every room starts with an empty history. Servers then"
          + " start with CHATFLOW_SHARDS=N. In a cluster of brokers all nodes must be available."
    },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:done, or the number was already set",
      "1:refused, or the broker failed; run it again to continue",
      "2:usage, or nothing was changed because --yes is missing"
    })
final class ShardsCommand implements Callable<Integer> {

  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private final PrintStream out;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Parameters(paramLabel = "N", description = "number of shards: 1 to " + Shard.MAX_COUNT)
  private int number;

  @Option(
      names = "--yes",
      description = "apply the change; without it, only show what would change")
  private boolean yes;

  @Option(
      names = "--broker",
      paramLabel = "URI",
      description = "amqp://host:port; set one with a password in CHATFLOW_AMQP_URI")
  private String uri = "";

  ShardsCommand(PrintStream out) {
    this.out = out;
  }

  @Override
  public Integer call() throws ConfigException, BrokerException, InterruptedException {
    if (number < 1 || number > Shard.MAX_COUNT) {
      throw new ParameterException(
          spec.commandLine(), "N is from 1 to " + Shard.MAX_COUNT + ", not " + number);
    }
    BrokerConfig broker = broker();
    for (URI node : broker.uris()) {
      try (BrokerConnector connector = connector(broker, List.of(node))) {
        connector.await(PATIENCE);
      }
    }
    try (BrokerConnector connector = connector(broker, broker.uris())) {
      return change(connector.await(PATIENCE), connector.nodes());
    }
  }

  private BrokerConfig broker() throws ConfigException {
    Map<String, String> options =
        uri.isEmpty() ? Map.of() : Map.of(StandaloneKey.AMQP_URI.environmentName(), uri);
    return StandaloneConfig.of(ConfigSource.ofProcess(options)).broker();
  }

  private static BrokerConnector connector(BrokerConfig broker, List<URI> nodes)
      throws BrokerException {
    BrokerConnector connector =
        new BrokerConnector(
            new BrokerConfig(
                nodes, broker.authorities(), broker.connectTimeout(), broker.heartbeat()),
            "shards",
            "chatflow shards");
    connector.start();
    return connector;
  }

  private int change(Connection connection, Nodes nodes) throws BrokerException {
    if (!Topology.hasStreams(connection)) {
      throw new BrokerException(
          "the embedded broker ends with its server: start the server with another CHATFLOW_SHARDS");
    }
    if (isSoAlready(connection, nodes)) {
      makeLogs(connection, nodes);
      out.printf("the cluster already has %d shards%n", number);
      return StandaloneMain.DONE;
    }
    refuseWhileHeld(connection);
    List<Shard> logs = logs(connection);
    out.printf(
        "deletes %s and %d logs: every room starts with an empty history%n",
        Topology.SHARDS_QUEUE, logs.size());
    if (!yes) {
      out.println("nothing was changed: run it with --yes");
      return StandaloneMain.USAGE;
    }
    replace(connection, nodes, logs);
    out.printf(
        "the cluster has %d shards: start servers and consumers with CHATFLOW_SHARDS=%d and a new"
            + " archive%n",
        number, number);
    return StandaloneMain.DONE;
  }

  private boolean isSoAlready(Connection connection, Nodes nodes) throws BrokerException {
    if (Topology.readers(connection, Topology.SHARDS_QUEUE).isEmpty()) {
      return false;
    }
    try {
      Topology.declareShared(connection, number, nodes);
      return true;
    } catch (ShardMismatchException _) {
      return false;
    }
  }

  /** Refuses while any process, with or without members, uses the present number of shards. */
  private static void refuseWhileHeld(Connection connection) throws BrokerException {
    int programs = Topology.readers(connection, Topology.SHARDS_QUEUE).orElse(0);
    if (programs > 0) {
      throw new BrokerException(
          "servers and consumers on this broker: "
              + programs
              + "; stop all, then change the number of shards");
    }
  }

  private static List<Shard> logs(Connection connection) throws BrokerException {
    List<Shard> logs = new ArrayList<>();
    for (int index = 0; index < Shard.MAX_COUNT; index++) {
      Shard shard = new Shard(index);
      if (Topology.readers(connection, Topology.log(shard)).isPresent()) {
        logs.add(shard);
      }
    }
    return logs;
  }

  /**
   * Replaces the number. Until the new one is declared, a server with the old number may declare
   * that again.
   */
  private void replace(Connection connection, Nodes nodes, List<Shard> logs)
      throws BrokerException {
    Topology.delete(connection, Topology.SHARDS_QUEUE);
    for (Shard shard : logs) {
      Topology.delete(connection, Topology.log(shard));
    }
    Topology.declareShared(connection, number, nodes);
    refuseWhileHeld(connection);
    makeLogs(connection, nodes);
  }

  /** Creates the logs of a cluster; on a single node, the processes that need them do. */
  private void makeLogs(Connection connection, Nodes nodes) throws BrokerException {
    for (int index = 0; nodes == Nodes.SEVERAL && index < number; index++) {
      Topology.makeLog(connection, new Shard(index));
    }
  }
}
