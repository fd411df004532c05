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

/** Where one scenario plays: a broker, servers, networks and the load; all of it ends with it. */
final class Stage implements AutoCloseable {

  /** Ends a hang, judges nothing. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private static final int UNDER_WAY = 100;

  /** A fault of the broker: what happens, and what ends it. */
  interface Fault {
    void happen() throws IOException;
  }

  /**
   * What whoever plays has asked for.
   *
   * @param grace how much longer than the fault a message may wait
   * @param length of a scenario that has none of its own
   * @param out is told what a reader should see while it plays
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
   * An empty one.
   *
   * @param stretch how many times as long as planned the load lasts
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

  /** More where others use the machine. */
  Duration grace() {
    return terms.grace();
  }

  /** How long a scenario plays that has no length of its own. */
  Duration length() {
    return terms.length();
  }

  long seed() {
    return terms.seed();
  }

  /** Tells whoever looks on. */
  void tell(String line) {
    terms.out().accept(line);
  }

  /** The scenario's only source of chance. */
  Random random() {
    return random;
  }

  /** A file of this stage alone. */
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

  /** Starts a server with so little heap that strangers can exhaust it. */
  ChatNode smallServer() throws IOException {
    return added(ChatNode.start(directory, nextId(), "48m", broker.uri(), Map.of()));
  }

  /** Starts a server that knows the broker by this address. */
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

  /** A wall clock for one of the servers. */
  FakeClock clock() throws IOException, Lacking {
    return FakeClock.at(directory.resolve("clock"));
  }

  /** Starts the standalone consumer. */
  AuditNode consumer() throws IOException {
    AuditNode consumer = AuditNode.start(directory, broker.uri());
    opened.push(consumer);
    return consumer;
  }

  /** A network of its own between one server and the broker. */
  BrokerLink link() throws IOException {
    BrokerLink link = BrokerLink.to(broker);
    opened.push(link);
    return link;
  }

  TcpProxy network(TcpProxy proxy) {
    opened.push(proxy);
    return proxy;
  }

  /** The broker's address through a network. */
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

  /** Starts the load and returns once it is in full swing. */
  LoadRun load(List<String> urls, String... options) throws IOException {
    long before = messagesIn();
    LoadRun run = LoadRun.start(directory, terms.seed(), stretch, List.of(options), urls);
    opened.push(run);
    int members = members(List.of(options));
    Awaitility.await("load under way")
        .atMost(PATIENCE)
        .until(() -> messagesIn() - before > members + UNDER_WAY || !run.isRunning());
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

  /** Lets the load go on until something has come about, or it ends. */
  void await(LoadRun load, Callable<Boolean> what) {
    Awaitility.await().atMost(PATIENCE).until(() -> what.call() || !load.isRunning());
  }

  /** Between half and once and a half of a time, by the seed. */
  Duration about(Duration time) {
    return Duration.ofMillis(time.toMillis() / 2 + random.nextLong(time.toMillis() + 1));
  }

  /**
   * The broker goes away and comes back.
   *
   * @return from the beginning until it took connections and declarations again
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

  /** What the servers said, for a failure. */
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
      } catch (Exception e) { // as declared; the others must be closed all the same
        throw new IOException("cannot clean up", e);
      }
    }
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(file -> file.delete());
    }
  }
}
