package dev.chatflow.server.chaos;

import dev.chatflow.broker.Topology;
import dev.chatflow.room.Shard;
import dev.chatflow.server.TcpProxy;
import dev.chatflow.server.chaos.Scenario.Played;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** All fault scenarios, in the order in which they are told. */
final class Scenarios {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration DRAIN_BOUND = Duration.ofSeconds(5);
  private static final int SHARDS = 4;

  /** A reconnecting client's patience: a server needs seconds to come back. */
  private static final List<String> RECONNECTING =
      List.of("--reconnect", "--retries", "200", "--backoff", "50ms..500ms");

  static final List<Scenario> ALL =
      List.of(
          new Scenario("broker-restart", true, false, Scenarios::brokerRestart),
          new Scenario("broker-kill", false, true, Scenarios::brokerKill),
          new Scenario("close-connections", true, false, Scenarios::closeConnections),
          new Scenario("memory-alarm", true, true, Scenarios::memoryAlarm),
          new Scenario("server-kill", false, false, Scenarios::serverKill),
          new Scenario("rolling-restart", false, false, Scenarios::rollingRestart),
          new Scenario("drain", false, false, Scenarios::drain),
          new Scenario("cut-broker", false, false, Scenarios::cutBroker),
          new Scenario("cut-clients", false, false, Scenarios::cutClients),
          new Scenario("slow-readers", false, false, Scenarios::slowReaders),
          new Scenario("hostile-peers", false, false, Scenarios::hostilePeers),
          new Scenario("malformed-flood", false, false, Scenarios::malformedFlood),
          new Scenario("reconnect-storm", false, false, Scenarios::reconnectStorm),
          new Scenario("queue-deleted", true, false, Scenarios::queueDeleted),
          new Scenario("queue-purged", true, false, Scenarios::queuePurged),
          new Scenario("binding-removed", true, false, Scenarios::bindingRemoved));

  private Scenarios() {}

  // --- the broker

  private static Played brokerRestart(Stage stage) throws Exception {
    return brokerAway(stage, stage.broker()::stop);
  }

  private static Played brokerKill(Stage stage) throws Exception {
    return brokerAway(stage, stage.broker()::kill);
  }

  private static Played brokerAway(Stage stage, Stage.Fault gone) throws Exception {
    stage.server();
    stage.server();
    LoadRun load = stage.load(urls(stage), steady(stage.broker().hasAlarm() ? 30 : 12));
    stage.pass(stage.about(SECOND));
    Duration away =
        stage.outage(
            gone,
            () -> {
              stage.pass(stage.about(SECOND.multipliedBy(2)));
              stage.broker().start();
            });
    return stayed(load, away);
  }

  private static Played closeConnections(Stage stage) throws Exception {
    stage.server();
    stage.server();
    LoadRun load = stage.load(urls(stage), steady(stage.broker().hasAlarm() ? 30 : 15));
    for (int i = 0; i < 5; i++) {
      stage.pass(stage.about(SECOND));
      stage.broker().closeConnections();
    }
    return stayed(load, Duration.ZERO);
  }

  private static Played memoryAlarm(Stage stage) throws Exception {
    ChatNode server = stage.server();
    LoadRun load = stage.load(urls(stage), steady(14));
    stage.pass(stage.about(SECOND));
    long begun = System.nanoTime();
    stage.broker().alarm(true);
    stage.pass(SECOND.multipliedBy(5));
    String publisher = server.health().getAsJsonObject("broker").get("publisher").getAsString();
    stage.broker().alarm(false);
    Duration away = Duration.ofNanos(System.nanoTime() - begun);
    Problems problems = new Problems();
    problems.unless(publisher.equals("BLOCKED"), "/health says publisher " + publisher);
    problems.unless(load.isRunning(), "the fault outlasted the load");
    return new Played(load.await(), away, true, "publisher " + publisher, problems.all());
  }

  // --- servers

  private static Played serverKill(Stage stage) throws Exception {
    ChatNode dies = stage.server();
    stage.server();
    LoadRun load = stage.load(balanced(stage), reconnecting(20));
    stage.pass(stage.about(SECOND));
    long begun = System.nanoTime();
    dies.kill();
    stage.pass(stage.about(SECOND.multipliedBy(2)));
    dies.startAgain();
    return returned(load, Duration.ofNanos(System.nanoTime() - begun));
  }

  private static Played rollingRestart(Stage stage) throws Exception {
    for (int i = 0; i < 4; i++) {
      stage.server();
    }
    LoadRun load = stage.load(balanced(stage), reconnecting(60));
    long begun = System.nanoTime();
    for (ChatNode server : stage.servers()) {
      server.stop();
      server.startAgain();
    }
    return returned(load, Duration.ofNanos(System.nanoTime() - begun));
  }

  private static Played drain(Stage stage) throws Exception {
    ChatNode stops = stage.server();
    TcpProxy network = stage.network(TcpProxy.to(stops.port()));
    LoadRun load =
        stage.load(List.of(url(network)), with(RECONNECTING, words("-r 20 -u 50 -R 200 -d 25s")));
    network.alsoTo(stage.server().port());
    stops.stop();
    Duration took = stops.between(": draining 1000 connections", ": drained");
    Played played = returned(load, took);
    Problems problems = new Problems(played.problems());
    problems.unless(took.compareTo(DRAIN_BOUND) < 0, "drained in " + took);
    long told = played.result().closedWith(1001);
    problems.unless(told == 1_000, told + " told to come back (1001)");
    return new Played(played.result(), took, false, told + " told (1001)", problems.all());
  }

  // --- the network

  private static Played cutBroker(Stage stage) throws Exception {
    TcpProxy network = stage.network(TcpProxy.to(stage.broker().uri().getPort()));
    stage.server(stage.through(network), Map.of());
    stage.server();
    LoadRun load = stage.load(urls(stage), steady(42));
    return stayed(load, cutTenTimes(stage, network));
  }

  private static Played cutClients(Stage stage) throws Exception {
    ChatNode server = stage.server();
    TcpProxy network = stage.network(TcpProxy.to(server.port()));
    LoadRun load = stage.load(List.of(url(network), server.url()), reconnecting(42));
    return returned(load, cutTenTimes(stage, network));
  }

  /**
   * In turn nothing gets through, and everything is reset after what was answered had been held
   * back: who sends again cannot know that others have seen it.
   */
  private static Duration cutTenTimes(Stage stage, TcpProxy network) {
    Duration length = SECOND.multipliedBy(2);
    for (int i = 0; i < 10; i++) {
      if (i % 2 == 0) {
        network.freeze();
      } else {
        network.mute();
        stage.pass(length.dividedBy(4));
        network.cut();
      }
      stage.pass(length);
      network.mend();
      stage.pass(stage.about(SECOND));
    }
    return length.plus(length.dividedBy(4));
  }

  // --- clients

  private static Played slowReaders(Stage stage) throws Exception {
    ChatNode server =
        stage.server(
            Map.of(
                "CHATFLOW_ROOM_LOG_BYTES", "512KiB",
                "CHATFLOW_MAX_LAG", "128KiB",
                "CHATFLOW_SEND_DEADLINE", "5s"));
    TcpProxy network = stage.network(TcpProxy.narrow(16_384, server.port()));
    LoadRun load =
        stage.load(List.of(url(network)), words("-r 2 -u 50 -R 600 -s 500 -d 25s --slow 2%@2"));
    LoadResult result = load.await();
    long slow = server.stats().get("slowClosed").getAsLong();
    Problems problems = new Problems();
    problems.unless(slow == 2, slow + " slow members closed instead of 2");
    problems.unless(result.count("slowLost") == 2, result.count("slowLost") + " slow members lost");
    return new Played(result, Duration.ZERO, false, slow + " closed as slow", problems.all());
  }

  /** Slow and stalled readers that ping, quitters in mid-stall, and a thousand resets. */
  private static Played hostilePeers(Stage stage) throws Exception {
    ChatNode server = stage.server(Map.of("CHATFLOW_SEND_DEADLINE", "5s"));
    LoadRun load = stage.load(urls(stage), words("-r 2 -u 50 -R 400 -s 500 -d 25s"));
    try (Hostiles hostiles = new Hostiles(server.port(), 2)) {
      hostiles.slow(20);
      hostiles.stalled(8);
      hostiles.quitters(10);
      stage.pass(SECOND.multipliedBy(3));
      hostiles.quit();
      hostiles.resets(1_000);
      stage.pass(SECOND.multipliedBy(8));
      long slow = server.stats().get("slowClosed").getAsLong();
      Problems problems = new Problems();
      problems.unless(load.isRunning(), "the fault outlasted the load");
      problems.unless(slow >= 8, slow + " slow members closed, stalled: 8");
      return new Played(
          load.await(), Duration.ZERO, true, slow + " closed as slow", problems.all());
    }
  }

  private static Played malformedFlood(Stage stage) throws Exception {
    ChatNode server = stage.server();
    LoadRun load = stage.load(urls(stage), steady(20));
    Flood flood = Flood.start(URI.create(server.url() + "/1"), 4, stage.random().nextLong());
    stage.pass(SECOND.multipliedBy(6));
    long refused = flood.stop();
    Problems problems = new Problems();
    problems.unless(load.isRunning(), "the flood outlasted the load");
    problems.unless(refused > 0, "no flooding connection was refused");
    return new Played(
        load.await(), Duration.ZERO, true, refused + " connections refused", problems.all());
  }

  private static Played reconnectStorm(Stage stage) throws Exception {
    stage.server();
    stage.server();
    LoadRun load =
        stage.load(
            urls(stage), with(RECONNECTING, words("-r 20 -u 50 -R 200 -d 20s --churn 100%/7s")));
    LoadResult result = load.await();
    Problems problems = new Problems();
    problems.unless(result.count("dropped") >= 2_000, "only " + result.count("dropped"));
    return new Played(
        result, Duration.ZERO, false, result.count("dropped") + " dropped", problems.all());
  }

  // --- by hand at the broker

  private static Played queueDeleted(Stage stage) throws Exception {
    ChatNode bereft = stage.server();
    stage.server();
    LoadRun load = stage.load(urls(stage), reconnecting(10));
    stage.pass(stage.about(SECOND));
    String queue = bereft.queues().get(stage.random().nextInt(bereft.queues().size()));
    stage.broker().onChannel(channel -> channel.queueDelete(queue));
    return told(load);
  }

  /** The tail of a lane is lost, and then it is quiet: only a beacon can show that. */
  private static Played queuePurged(Stage stage) throws Exception {
    TcpProxy network = stage.network(TcpProxy.narrow(16_384, stage.broker().uri().getPort()));
    ChatNode bereft = stage.server(stage.through(network), Map.of());
    stage.server();
    LoadRun load = stage.load(urls(stage), with(RECONNECTING, words("-r 8 -u 10 -R 800 -d 6s")));
    network.freeze();
    stage.pass(SECOND.multipliedBy(7)); // the load ends meanwhile
    for (String queue : bereft.queues()) {
      stage.broker().onChannel(channel -> channel.queuePurge(queue));
    }
    network.mend();
    return told(load);
  }

  private static Played bindingRemoved(Stage stage) throws Exception {
    ChatNode bereft = stage.server();
    stage.server();
    LoadRun load = stage.load(urls(stage), reconnecting(12));
    stage.pass(stage.about(SECOND));
    Shard shard = new Shard(stage.random().nextInt(SHARDS));
    List<String> queues = bereft.queues();
    String queue = queues.get(shard.index() % queues.size());
    stage
        .broker()
        .onChannel(
            channel -> channel.queueUnbind(queue, Topology.EXCHANGE, Topology.bindingKey(shard)));
    return told(load);
  }

  /** What was destroyed is told with 4010; whoever was told comes back. */
  private static Played told(LoadRun load) throws IOException, InterruptedException {
    LoadResult result = load.await();
    long told = result.closedWith(4010);
    Problems problems = new Problems();
    problems.unless(told > 0, "nobody was told (4010)");
    problems.unless(
        told == result.count("connectionsLost"),
        result.count("connectionsLost") + " connections lost, told: " + told);
    return new Played(result, Duration.ZERO, false, told + " told (4010)", problems.all());
  }

  // --- loads

  private static Played stayed(LoadRun load, Duration away)
      throws IOException, InterruptedException {
    Problems problems = new Problems();
    problems.unless(load.isRunning(), "the fault outlasted the load");
    return new Played(load.await(), away, true, "", problems.all());
  }

  private static Played returned(LoadRun load, Duration away)
      throws IOException, InterruptedException {
    Problems problems = new Problems();
    problems.unless(load.isRunning(), "the fault outlasted the load");
    LoadResult result = load.await();
    problems.unless(result.count("reconnections") > 0, "nobody had to come back");
    return new Played(
        result, away, false, result.count("reconnections") + " came back", problems.all());
  }

  private static String[] steady(int seconds) {
    return words("-r 8 -u 10 -R 300 -d " + seconds + "s");
  }

  private static String[] reconnecting(int seconds) {
    return with(RECONNECTING, steady(seconds));
  }

  private static String[] words(String options) {
    return options.split(" ", -1);
  }

  private static String[] with(List<String> more, String... options) {
    return Stream.concat(Stream.of(options), more.stream()).toArray(String[]::new);
  }

  private static List<String> urls(Stage stage) {
    List<String> urls = new ArrayList<>();
    stage.servers().forEach(server -> urls.add(server.url()));
    return urls;
  }

  /** One address for all servers. */
  private static List<String> balanced(Stage stage) throws IOException {
    int[] ports = stage.servers().stream().mapToInt(ChatNode::port).toArray();
    return List.of(url(stage.network(TcpProxy.to(ports))));
  }

  private static String url(TcpProxy network) {
    return "ws://127.0.0.1:" + network.port() + "/chat";
  }
}
