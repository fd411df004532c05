package dev.chatflow.lab.chaos;

import dev.chatflow.lab.broker.BrokerLink;
import dev.chatflow.lab.broker.FaultyBroker;
import dev.chatflow.lab.node.AuditNode;
import dev.chatflow.lab.node.ChatNode;
import dev.chatflow.lab.node.FakeClock;
import dev.chatflow.lab.node.Lacking;
import dev.chatflow.lab.node.LoadRun;
import dev.chatflow.lab.node.Node;
import dev.chatflow.lab.node.StockNode;
import dev.chatflow.server.TcpProxy;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * The resources of one scenario: a broker, servers, networks and the load, which all end with it.
 */
final class Stage implements AutoCloseable {

  /** Limits a hang; not part of the verdict. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private static final int IN_PROGRESS = 100;

  /** The start or the end of a broker fault. */
  interface Fault {
    void happen() throws IOException;
  }

  /**
   * The settings of a run.
   *
   * @param grace maximum delay of a message beyond the fault
   * @param length length of scenarios without a fixed one
   * @param out receives progress for readers
   */
  record Terms(long seed, Duration grace, Duration length, Consumer<String> out) {}

  private final FaultyBroker broker;
  private final int stretch;
  private final Terms terms;
  private final Random random;
  private final Path directory;
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private final List<ChatNode> servers = new ArrayList<>();
  private final List<Node> nodes = new ArrayList<>();

  /**
   * Creates an empty stage.
   *
   * @param stretch factor of the planned length of the load
   */
  Stage(FaultyBroker broker, int stretch, Terms terms) throws IOException {
    this.broker = broker;
    this.stretch = stretch;
    this.terms = terms;
    random = new Random(terms.seed());
    directory = Files.createTempDirectory("chatflow-chaos-");
  }

  FaultyBroker broker() {
    return broker;
  }

  /** Returns the grace; more on a busy machine. */
  Duration grace() {
    return terms.grace();
  }

  /** Returns the length of scenarios without a fixed one. */
  Duration length() {
    return terms.length();
  }

  long seed() {
    return terms.seed();
  }

  /** Prints progress. */
  void printProgress(String line) {
    terms.out().accept(line);
  }

  /** Returns the scenario's only source of randomness. */
  Random random() {
    return random;
  }

  /** Creates a file of this stage. */
  Path file(String name, String content) throws IOException {
    return Files.writeString(directory.resolve(name), content);
  }

  List<ChatNode> servers() {
    return servers;
  }

  ChatNode server() throws IOException {
    return server(Map.of());
  }

  ChatNode server(Map<String, String> settings) throws IOException {
    return server(broker.uri(), settings);
  }

  /** Starts a server with a small heap that clients can exhaust. */
  ChatNode smallServer() throws IOException {
    return added(ChatNode.start(directory, nextId(), "48m", broker.uri(), Map.of()));
  }

  /** Starts a server with this address of the broker. */
  ChatNode server(URI address, Map<String, String> settings) throws IOException {
    return added(ChatNode.start(directory, nextId(), address, settings));
  }

  private String nextId() {
    return "chaos-" + (servers.size() + 1);
  }

  private ChatNode added(ChatNode server) {
    servers.add(server);
    nodes.add(server);
    opened.push(server);
    return server;
  }

  /** Starts the WAR in Tomcat from its distribution archive, with lines of its environment file. */
  Node stockServer(String... settings) throws Exception {
    Path base = Files.createDirectory(directory.resolve("stock-" + (nodes.size() + 1)));
    StockNode server = StockNode.start(base, broker.uri(), settings);
    nodes.add(server);
    opened.push(server);
    return server;
  }

  /** Creates a wall clock for one of the servers. */
  FakeClock clock() throws IOException, Lacking {
    return FakeClock.at(directory.resolve("clock"));
  }

  /** Starts the standalone consumer. */
  AuditNode consumer() throws IOException {
    AuditNode consumer = AuditNode.start(directory, broker.uri());
    opened.push(consumer);
    return consumer;
  }

  /** Creates a separate network between one server and the broker. */
  BrokerLink link() throws IOException {
    BrokerLink link = BrokerLink.to(broker);
    opened.push(link);
    return link;
  }

  TcpProxy network(TcpProxy proxy) {
    opened.push(proxy);
    return proxy;
  }

  /** Returns the broker's address through a network. */
  URI through(TcpProxy network) throws URISyntaxException {
    URI uri = broker.uri();
    return new URI(
        uri.getScheme(),
        uri.getUserInfo(),
        uri.getHost(),
        network.port(),
        uri.getPath(),
        null,
        null);
  }

  /** Starts the load and waits until it runs at its full rate. */
  LoadRun load(List<String> urls, String... options) throws IOException {
    long before = messagesIn();
    LoadRun run = LoadRun.start(directory, terms.seed(), stretch, List.of(options), urls);
    opened.push(run);
    int members = members(List.of(options));
    Awaitility.await("load running")
        .atMost(PATIENCE)
        .until(() -> messagesIn() - before > members + IN_PROGRESS || !run.isRunning());
    return run;
  }

  private static int members(List<String> options) {
    int rooms = Integer.parseInt(options.get(options.indexOf("-r") + 1));
    return rooms * Integer.parseInt(options.get(options.indexOf("-u") + 1));
  }

  private long messagesIn() throws IOException {
    long sum = 0;
    for (Node server : nodes) {
      sum += server.stats().get("messagesIn").getAsLong();
    }
    return sum;
  }

  /** Waits for a condition or the end of the load. */
  void await(LoadRun load, Callable<Boolean> what) {
    Awaitility.await().atMost(PATIENCE).until(() -> what.call() || !load.isRunning());
  }

  /** Returns a random time between 0.5 and 1.5 times the given one. */
  Duration about(Duration time) {
    return Duration.ofMillis(time.toMillis() / 2 + random.nextLong(time.toMillis() + 1));
  }

  /**
   * Stops the broker and starts it again.
   *
   * @return time until it accepted connections and declarations again
   */
  Duration outage(Fault gone, Fault back) throws IOException {
    long begun = System.nanoTime();
    gone.happen();
    Thread starter =
        Thread.startVirtualThread(() -> {
          try {
            back.happen();
          } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
          }
        });
    Awaitility.await("broker back")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .until(broker::serves);
    long served = System.nanoTime();
    try {
      starter.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Duration.ofNanos(served - begun);
  }

  /** Returns the output of the servers, to explain a failure. */
  String logs() {
    StringBuilder logs = new StringBuilder();
    for (Node server : nodes) {
      logs.append("--- ").append(server.url()).append('\n').append(server.output());
    }
    return logs.toString();
  }

  @Override
  public void close() throws IOException {
    for (AutoCloseable each : opened) {
      try {
        each.close();
      } catch (Exception e) { // declared by AutoCloseable
        throw new IOException("cannot clean up", e);
      }
    }
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(file -> file.delete());
    }
  }
}
