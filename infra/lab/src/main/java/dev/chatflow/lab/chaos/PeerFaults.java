package dev.chatflow.lab.chaos;

import static dev.chatflow.lab.chaos.Loads.RECONNECTING;
import static dev.chatflow.lab.chaos.Loads.steady;
import static dev.chatflow.lab.chaos.Loads.url;
import static dev.chatflow.lab.chaos.Loads.urls;
import static dev.chatflow.lab.chaos.Loads.with;
import static dev.chatflow.lab.chaos.Loads.words;

import dev.chatflow.lab.broker.Pause;
import dev.chatflow.lab.chaos.Scenario.Played;
import dev.chatflow.lab.node.AuditNode;
import dev.chatflow.lab.node.ChatNode;
import dev.chatflow.lab.node.FaultOutlasted;
import dev.chatflow.lab.node.LoadResult;
import dev.chatflow.lab.node.LoadRun;
import dev.chatflow.lab.node.Node;
import dev.chatflow.lab.node.Problems;
import dev.chatflow.lab.peer.Flood;
import dev.chatflow.lab.peer.Hostiles;
import dev.chatflow.server.TcpProxy;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Clients and consumers that misbehave. */
final class PeerFaults {

  static final List<Scenario> ALL =
      List.of(
          Scenario.of(
              "slow-readers", 1, "2 % of the members read 2 frames/s", PeerFaults::slowReaders),
          Scenario.of(
              "hostile-peers",
              1,
              "20 slow and 8 stalled members that ping, 10 that stop reading and then close,"
                  + " 1,000 resets at once",
              PeerFaults::hostilePeers),
          Scenario.of(
              "hostile-peers-stock",
              1,
              "the same in Tomcat from its distribution archive",
              PeerFaults::hostilePeersStock),
          Scenario.of(
              "malformed-flood",
              1,
              "connections that send invalid data and reconnect whenever they are rejected",
              PeerFaults::malformedFlood),
          Scenario.of(
              "reconnect-storm",
              2,
              "all of 1,000 connections dropped at once, twice",
              PeerFaults::reconnectStorm),
          Scenario.of(
              "consumer-frozen",
              1,
              "the standalone consumer gets no CPU for 10 s (SIGSTOP); afterwards it has"
                  + " recorded everything",
              PeerFaults::consumerFrozen));

  private static final Duration SECOND = Duration.ofSeconds(1);

  private static final int STALLED = 8;

  private PeerFaults() {}

  private static long slowClosed(Node server) throws IOException {
    return server.stats().get("slowClosed").getAsLong();
  }

  static Played slowReaders(Stage stage) throws Exception {
    ChatNode server =
        stage.server(
            Map.of(
                "CHATFLOW_ROOM_LOG_BYTES", "512KiB",
                "CHATFLOW_MAX_LAG", "128KiB",
                "CHATFLOW_SEND_DEADLINE", "5s"));
    TcpProxy network = stage.network(TcpProxy.narrow(16_384, server.port()));
    LoadRun load =
        stage.load(List.of(url(network)), words("-r 2 -u 50 -R 200 -s 500 -d 25s --slow 2%@2"));
    LoadResult result = load.await();
    long slow = slowClosed(server);
    Problems problems = new Problems();
    problems.unless(slow == 2, slow + " slow members closed instead of 2");
    problems.unless(result.count("slowLost") == 2, result.count("slowLost") + " slow members lost");
    return new Played(result, Duration.ZERO, false, slow + " closed as slow", problems.all());
  }

  /**
   * Runs slow and stalled readers that ping, readers that quit while stalled, and a thousand
   * resets.
   */
  static Played hostilePeers(Stage stage) throws Exception {
    return hostilePeers(stage, stage.server(Map.of("CHATFLOW_SEND_DEADLINE", "5s")));
  }

  static Played hostilePeersStock(Stage stage) throws Exception {
    return hostilePeers(stage, stage.stockServer("CHATFLOW_SEND_DEADLINE=5s"));
  }

  private static Played hostilePeers(Stage stage, Node server) throws Exception {
    LoadRun load = stage.load(List.of(server.url()), words("-r 2 -u 50 -R 1000 -s 500 -d 30s"));
    try (Hostiles hostiles = new Hostiles(server.port(), 2)) {
      hostiles.slow(20);
      hostiles.stalled(STALLED);
      hostiles.quitters(10);
      Pause.of(SECOND.multipliedBy(3));
      hostiles.quit();
      hostiles.resets(1_000);
      // The kernel buffers about 2.5 MB for each before the server notices the stall.
      stage.await(load, () -> slowClosed(server) >= STALLED);
      long slow = slowClosed(server);
      Problems problems = new Problems();
      load.mustRun();
      problems.unless(slow >= STALLED, slow + " slow members closed, stalled: " + STALLED);
      return new Played(
          load.await(), Duration.ZERO, true, slow + " closed as slow", problems.all());
    }
  }

  static Played malformedFlood(Stage stage) throws Exception {
    ChatNode server = stage.server();
    LoadRun load = stage.load(urls(stage), steady(20));
    Flood flood = Flood.start(URI.create(server.url() + "/1"), 4, stage.random().nextLong());
    Pause.of(SECOND.multipliedBy(6));
    long refused = flood.stop();
    Problems problems = new Problems();
    load.mustRun();
    problems.unless(refused > 0, "no flooding connection was rejected");
    return new Played(
        load.await(), Duration.ZERO, true, refused + " connections rejected", problems.all());
  }

  static Played reconnectStorm(Stage stage) throws Exception {
    stage.server();
    stage.server();
    LoadRun load =
        stage.load(
            urls(stage), with(RECONNECTING, words("-r 20 -u 50 -R 200 -d 50s --churn 100%/18s")));
    LoadResult result = load.await();
    long dropped = result.count("dropped");
    if (dropped < 2 * 1_000) { // some had not returned before the second drop
      throw new FaultOutlasted("only " + dropped + " dropped");
    }
    return new Played(result, Duration.ZERO, false, dropped + " dropped", List.of());
  }

  /** Runs a frozen consumer: the logs keep its unread messages, and the chat is not affected. */
  static Played consumerFrozen(Stage stage) throws Exception {
    stage.server();
    AuditNode consumer = stage.consumer();
    LoadRun load = stage.load(urls(stage), steady(20));
    Pause.of(SECOND);
    consumer.freeze();
    Pause.of(SECOND.multipliedBy(10));
    consumer.thaw();
    Problems problems = new Problems();
    load.mustRun();
    LoadResult result = load.await();
    long accepted = result.count("accepted");
    long recorded = consumer.awaitRecorded(accepted);
    problems.unless(recorded == accepted, "recorded " + recorded + " of " + accepted);
    return new Played(result, Duration.ZERO, true, recorded + " recorded", problems.all());
  }
}
