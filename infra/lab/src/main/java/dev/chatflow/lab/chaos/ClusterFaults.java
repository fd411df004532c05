package dev.chatflow.lab.chaos;

import static dev.chatflow.lab.chaos.Loads.onTwoServers;
import static dev.chatflow.lab.chaos.Loads.steady;
import static dev.chatflow.lab.chaos.Loads.urls;

import dev.chatflow.lab.broker.Pause;
import dev.chatflow.lab.broker.RabbitCluster;
import dev.chatflow.lab.chaos.Scenario.Played;
import dev.chatflow.lab.node.ChatNode;
import dev.chatflow.lab.node.LoadRun;
import dev.chatflow.lab.node.Problems;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Faults of single nodes of a cluster, and of their network. */
final class ClusterFaults {

  static final List<Scenario> ALL =
      List.of(
          scenario(
                  "node-kill",
                  "kill -9 of the node from which one server reads; it returns",
                  ClusterFaults::nodeKill)
              .quick(),
          scenario(
              "leader-kill",
              "kill -9 of the leader of the busiest log; it returns",
              ClusterFaults::leaderKill),
          scenario(
              "node-stop",
              "the node from which one server reads shuts down cleanly and returns",
              ClusterFaults::nodeStop),
          scenario(
              "nodes-restart",
              "all nodes restart cleanly, one after another",
              ClusterFaults::nodesRestart),
          scenario(
              "node-frozen",
              "the node from which one server reads gets no CPU for 20 s (SIGSTOP)",
              ClusterFaults::nodeFrozen),
          scenario("node-frozen-long", "the same for 60 s", ClusterFaults::nodeFrozenLong),
          scenario(
              "node-cut",
              "the link of that node is down for 40 s: nothing reaches it, without notice",
              ClusterFaults::nodeCut),
          scenario(
              "node-parted",
              "that node and the others cannot reach each other for 40 s; clients reach all",
              ClusterFaults::nodeParted));

  /** Maximum stall after a killed node, which the others notice at once. */
  private static final Duration KILLED = Duration.ofSeconds(10);

  /** Maximum stall after a silent node, which heartbeats and the nodes' ticks must notice. */
  private static final Duration SILENT = Duration.ofSeconds(30);

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration AWHILE = Duration.ofSeconds(3);

  private ClusterFaults() {}

  private static Scenario scenario(String name, String happens, Scenario.Script script) {
    return Scenario.of(name, 2, happens, script).clusterOnly();
  }

  /** An operation on a node. */
  private interface Deed {
    void to(int node) throws IOException;
  }

  private static RabbitCluster cluster(Stage stage) {
    return (RabbitCluster) stage.broker();
  }

  static Played nodeKill(Stage stage) throws Exception {
    RabbitCluster cluster = cluster(stage);
    return readersNode(stage, 70, KILLED, cluster::kill, cluster::start, Duration.ofSeconds(12));
  }

  static Played nodeStop(Stage stage) throws Exception {
    RabbitCluster cluster = cluster(stage);
    return readersNode(stage, 70, KILLED, cluster::stop, cluster::start, Duration.ofSeconds(5));
  }

  static Played nodeFrozen(Stage stage) throws Exception {
    RabbitCluster cluster = cluster(stage);
    return readersNode(stage, 70, SILENT, cluster::freeze, cluster::thaw, Duration.ofSeconds(20));
  }

  static Played nodeFrozenLong(Stage stage) throws Exception {
    RabbitCluster cluster = cluster(stage);
    return readersNode(stage, 110, SILENT, cluster::freeze, cluster::thaw, Duration.ofSeconds(60));
  }

  static Played nodeCut(Stage stage) throws Exception {
    RabbitCluster cluster = cluster(stage);
    return readersNode(stage, 90, SILENT, cluster::cut, cluster::restore, Duration.ofSeconds(40));
  }

  static Played nodeParted(Stage stage) throws Exception {
    RabbitCluster cluster = cluster(stage);
    return readersNode(stage, 90, SILENT, cluster::part, cluster::restore, Duration.ofSeconds(40));
  }

  /** Applies a fault to the node from which the first server reads, and ends it after a while. */
  private static Played readersNode(
      Stage stage, int seconds, Duration bound, Deed fault, Deed end, Duration lasts)
      throws Exception {
    ChatNode server = stage.server();
    stage.server();
    LoadRun load = stage.load(urls(stage), steady(seconds));
    Pause.of(stage.about(SECOND));
    int node = cluster(stage).nodeOf(server.output(), "consumer");
    int before = server.output().length();
    long begun = System.nanoTime();
    fault.to(node);
    Pause.of(lasts);
    end.to(node);
    Duration away = Duration.ofNanos(System.nanoTime() - begun);
    String since = server.output().substring(before);
    Problems problems = new Problems();
    problems.unless(
        since.contains("broker connection (consumer) lost"), "the server never left node " + node);
    stage.servers().forEach(each -> each.expectHealth(true, problems));
    return stayed(load, away, bound, "node " + node, problems);
  }

  static Played leaderKill(Stage stage) throws Exception {
    RabbitCluster cluster = cluster(stage);
    LoadRun load = onTwoServers(stage, steady(80));
    Pause.of(AWHILE);
    RabbitCluster.Leader was = cluster.busiest();
    int witness = was.node() % RabbitCluster.NODES + 1;
    long begun = System.nanoTime();
    cluster.kill(was.node());
    Pause.of(Duration.ofSeconds(12));
    int now = cluster.leader(was.log(), witness);
    cluster.start(was.node());
    Duration away = Duration.ofNanos(System.nanoTime() - begun);
    Problems problems = new Problems();
    problems.unless(now != 0 && now != was.node(), was.log() + " is led by node " + now);
    String note = was.log() + " led by node " + was.node() + ", then " + now;
    return stayed(load, away, KILLED, note, problems);
  }

  static Played nodesRestart(Stage stage) throws Exception {
    RabbitCluster cluster = cluster(stage);
    LoadRun load = onTwoServers(stage, steady(120));
    long begun = System.nanoTime();
    for (int node = 1; node <= RabbitCluster.NODES; node++) {
      cluster.stop(node);
      cluster.start(node);
      cluster.settle();
    }
    Duration away = Duration.ofNanos(System.nanoTime() - begun);
    return stayed(load, away, KILLED, "", new Problems());
  }

  /** Judges after the fault: no member lost its connection or waited longer than the bound. */
  private static Played stayed(
      LoadRun load, Duration away, Duration bound, String note, Problems problems)
      throws Exception {
    return Loads.stayed(load, away).within(bound).noting(note).with(problems);
  }
}
