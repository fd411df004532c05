package dev.chatflow.server;

import dev.chatflow.broker.testing.RabbitNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Three RabbitMQ nodes that a test may break one by one: created by {@code
 * infra/rabbitmq/test-broker} in the directory of the environment variable {@value #VARIABLE}, and
 * removed at the end.
 */
final class OwnCluster implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(OwnCluster.class);

  static final String VARIABLE = "CHATFLOW_TEST_RABBITMQ_CLUSTER";
  static final String ABSENT =
      "no cluster of RabbitMQ nodes: "
          + VARIABLE
          + " names a directory for one, ./chatflow test does so where three can be had";

  private static final String SCRIPT = "../infra/rabbitmq/test-broker";

  private final String directory;
  private final URI uri;

  private OwnCluster(String directory) throws IOException {
    this.directory = directory;
    uri =
        RabbitNode.run(SCRIPT, "start", directory, "--nodes", "3").stream()
            .filter(line -> line.startsWith("amqp="))
            .map(line -> URI.create(line.substring("amqp=".length())))
            .findFirst()
            .orElseThrow();
  }

  static OwnCluster start() throws IOException {
    return new OwnCluster(System.getenv(VARIABLE));
  }

  /** Returns all addresses, separated by commas. */
  URI uri() {
    return uri;
  }

  /** Returns the address of one node, from 1. */
  URI uri(int node) {
    String[] hosts = uri.getRawAuthority().replaceFirst(".*@", "").split(",", -1);
    return URI.create("amqp://guest:guest@" + hosts[node - 1]);
  }

  /** Executes a command of the script on one node, such as {@code kill}. */
  void does(String verb, int node) throws IOException {
    RabbitNode.run(SCRIPT, verb, directory, Integer.toString(node));
  }

  /**
   * Waits until all nodes have the same state, so that any may be lost. Logs which replicas had to
   * be restarted for that.
   */
  void settle() throws IOException {
    RabbitNode.run(SCRIPT, "settle", directory).forEach(log::warn);
  }

  List<String> ctl(String... arguments) throws IOException {
    String[] command = new String[arguments.length + 3];
    command[0] = SCRIPT;
    command[1] = "ctl";
    command[2] = directory;
    System.arraycopy(arguments, 0, command, 3, arguments.length);
    return RabbitNode.run(command);
  }

  /** Creates the missing objects of the definitions. */
  void importDefinitions() throws IOException {
    if (!Files.exists(Path.of(directory, "node-1", "definitions.json"))) {
      throw new IllegalStateException("no definitions in " + directory);
    }
    ctl("@1", "import_definitions", "/mnt/definitions.json");
  }

  @Override
  public void close() throws IOException {
    RabbitNode.run(SCRIPT, "remove", directory);
  }
}
