package dev.chatflow.lab.broker;

import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Three RabbitMQ nodes for faults of single nodes or of their network. Nodes are numbered from 1.
 * The address lists all nodes, separated by commas. Thread-safe; each method returns when its
 * effect is complete.
 */
public final class RabbitCluster extends Rabbit {

  public static final int NODES = 3;

  private static final Pattern AT = Pattern.compile("at (198\\.18\\.\\d+\\.(\\d+)):5672");
  private static final Pattern NODE = Pattern.compile("rabbit@198\\.18\\.\\d+\\.(\\d+)");

  private RabbitCluster(ControlProgram control) throws IOException {
    super(control, control.start("--nodes", Integer.toString(NODES)));
  }

  /**
   * Starts a cluster.
   *
   * @param program the control program
   * @param directory for its data; need not exist
   */
  public static RabbitCluster launch(String program, Path directory) throws IOException {
    return new RabbitCluster(new ControlProgram(program, directory));
  }

  @Override
  public String name() {
    return super.name() + ", " + NODES + " nodes";
  }

  /** Returns the node of a server's connection: the last in its log for this role. */
  public int nodeOf(String log, String role) {
    return log.lines()
        .filter(line -> line.contains("broker connection (" + role + ") open"))
        .flatMap(line -> AT.matcher(line).results())
        .map(found -> Integer.parseInt(found.group(2)))
        .reduce((_, last) -> last)
        .orElseThrow(() -> new IllegalStateException("has no node: " + log));
  }

  /** A shard log and its leader node. */
  public record Leader(String log, int node) {}

  /** Returns the longest shard log with its leader. */
  public Leader busiest() throws IOException {
    return control
        .run("ctl", "list_queues", "name", "messages", "leader")
        .lines()
        .filter(line -> line.startsWith("chat.log."))
        .map(line -> line.split("\t", -1))
        .max(Comparator.comparingLong(row -> Long.parseLong(row[1])))
        .map(row -> new Leader(row[0], number(row[2])))
        .orElseThrow(() -> new IOException("there are no shard logs"));
  }

  /** Returns the current leader of a shard log as another node reports it; 0 for none. */
  public int leader(String log, int seenBy) throws IOException {
    return control
        .run("ctl", "@" + seenBy, "list_queues", "name", "leader")
        .lines()
        .filter(line -> line.startsWith(log + "\t"))
        .mapToInt(line -> number(line.substring(log.length() + 1)))
        .findFirst()
        .orElse(0);
  }

  private static int number(String node) {
    return NODE.matcher(node)
        .results()
        .map(MatchResult::group)
        .map(text -> Integer.parseInt(text.substring(text.lastIndexOf('.') + 1)))
        .findFirst()
        .orElse(0);
  }

  /** Kills a node. */
  public void kill(int node) throws IOException {
    control.run("kill", Integer.toString(node));
  }

  /** Shuts down a node cleanly. */
  public void stop(int node) throws IOException {
    control.run("stop", Integer.toString(node));
  }

  /** Starts a node again and waits until it answers. */
  public void start(int node) throws IOException {
    control.run("start", Integer.toString(node));
  }

  /** Freezes a node. */
  public void freeze(int node) throws IOException {
    control.run("freeze", Integer.toString(node));
  }

  public void thaw(int node) throws IOException {
    control.run("thaw", Integer.toString(node));
  }

  /** Drops all traffic to a node without notice. */
  public void cut(int node) throws IOException {
    control.run("cut", Integer.toString(node));
  }

  /** Separates a node from the others; clients still reach it. */
  public void part(int node) throws IOException {
    control.run("part", Integer.toString(node));
  }

  /** Ends {@link #cut} and {@link #part}. */
  public void restore(int node) throws IOException {
    control.run("restore", Integer.toString(node));
  }

  /** Waits until all nodes are synchronised, so that any may be lost; at most 2 min. */
  public void settle() throws IOException {
    control.run("settle");
  }

  @Override
  public void closeConnections(List<Duration> pauses) throws IOException {
    for (Duration pause : pauses) {
      Pause.of(pause);
      control.run("ctl", "close_all_connections", "closed by a fault scenario");
    }
  }

  @Override
  public void kill() throws IOException {
    control.run("remove");
  }

  @Override
  public void onChannel(Deed deed) throws IOException, TimeoutException {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setAutomaticRecoveryEnabled(false);
    factory.setConnectionTimeout(1_000);
    String hosts = uri().getRawAuthority().replaceFirst(".*@", "");
    try (var connection =
        factory.newConnection(
            com.rabbitmq.client.Address.parseAddresses(hosts), "chatflow chaos")) {
      deed.on(connection.createChannel());
    }
  }

  @Override
  public void close() {
    try {
      kill();
    } catch (IOException e) {
      throw new IllegalStateException("the nodes still run", e);
    }
  }
}
