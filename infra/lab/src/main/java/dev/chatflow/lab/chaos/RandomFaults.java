package dev.chatflow.lab.chaos;

import static dev.chatflow.lab.chaos.Loads.RECONNECTING;
import static dev.chatflow.lab.chaos.Loads.url;
import static dev.chatflow.lab.chaos.Loads.with;
import static dev.chatflow.lab.chaos.Loads.words;

import dev.chatflow.lab.broker.BrokerLink;
import dev.chatflow.lab.broker.FaultyBroker;
import dev.chatflow.lab.broker.RabbitCluster;
import dev.chatflow.lab.chaos.Scenario.Played;
import dev.chatflow.lab.node.Burners;
import dev.chatflow.lab.node.ChatNode;
import dev.chatflow.lab.node.LoadRun;
import dev.chatflow.lab.storm.Kind;
import dev.chatflow.lab.storm.Storm;
import dev.chatflow.lab.storm.Strike;
import dev.chatflow.lab.storm.Track;
import dev.chatflow.server.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;

/** Simultaneous random faults of broker, servers and networks, from a seed. */
final class RandomFaults {

  static final List<Scenario> ALL =
      List.of(
          Scenario.of(
                  "random",
                  4,
                  "random faults of broker, servers, networks and cores at once, from `--seed`,"
                      + " for `--minutes`",
                  RandomFaults::random)
              .anywhere());

  private static final int SERVERS = 4;

  /** Number of balancers for the clients, each to all servers. */
  private static final int FRONTS = 2;

  /** Time for the delayed messages of the last fault before the load ends. */
  private static final Duration AFTERMATH = Duration.ofSeconds(60);

  private RandomFaults() {}

  static Played random(Stage stage) throws Exception {
    List<BrokerLink> links = new ArrayList<>();
    for (int i = 0; i < SERVERS; i++) {
      BrokerLink link = stage.link();
      links.add(link);
      stage.server(link.uri(), Map.of());
    }
    int[] ports = stage.servers().stream().mapToInt(ChatNode::port).toArray();
    List<TcpProxy> fronts = new ArrayList<>();
    for (int i = 0; i < FRONTS; i++) {
      fronts.add(stage.network(TcpProxy.to(ports)));
    }
    List<Track> tracks =
        List.of(
            broker(stage.broker()),
            servers(stage.servers()),
            links(links),
            fronts(fronts),
            cores());
    Storm storm = Storm.of(stage.seed(), stage.length(), tracks);
    storm.schedule().stream().map(Strike::toString).forEach(stage::printProgress);
    long seconds = stage.length().plus(AFTERMATH).toSeconds();
    LoadRun load =
        stage.load(
            List.of(url(fronts.get(0)), url(fronts.get(1))),
            with(RECONNECTING, words("-r 8 -u 10 -R 100 -d " + seconds + "s")));
    int faults = storm.play(stage.length());
    Played played = Loads.returned(load, stage.length());
    String note = faults + " of " + storm.schedule().size() + " faults, " + played.note();
    return played.noting(note);
  }

  private static Track broker(FaultyBroker broker) {
    if (broker instanceof RabbitCluster cluster) {
      return new Track("node", RabbitCluster.NODES, 12_000, nodes(cluster));
    }
    List<Kind> kinds = new ArrayList<>();
    kinds.add(new Kind("stopped", 500, 4_000, _ -> broker.stop(), _ -> broker.start()));
    kinds.add(
        Kind.of("ends all connections", _ -> broker.closeConnections(List.of(Duration.ZERO))));
    if (broker.isRabbit()) {
      kinds.add(new Kind("killed", 500, 4_000, _ -> broker.kill(), _ -> broker.start()));
      kinds.add(
          new Kind(
              "memory alarm", 1_000, 8_000, _ -> broker.alarm(true), _ -> broker.alarm(false)));
    }
    return new Track("broker", 1, 10_000, kinds);
  }

  /**
   * Returns faults of one node at a time: the next one waits until all copies of logs are complete
   * again.
   */
  private static List<Kind> nodes(RabbitCluster cluster) {
    return List.of(
        new Kind("killed", 500, 8_000, cluster::kill, settled(cluster, cluster::start)),
        new Kind("stopped", 500, 8_000, cluster::stop, settled(cluster, cluster::start)),
        new Kind("frozen", 1_000, 25_000, cluster::freeze, settled(cluster, cluster::thaw)),
        new Kind("link down", 1_000, 25_000, cluster::cut, settled(cluster, cluster::restore)),
        new Kind(
            "separated from the others",
            1_000,
            25_000,
            cluster::part,
            settled(cluster, cluster::restore)));
  }

  private static Kind.Deed settled(RabbitCluster cluster, Kind.Deed end) {
    return node -> {
      end.to(node);
      cluster.settle();
    };
  }

  private static Track servers(List<ChatNode> servers) {
    return new Track(
        "server",
        SERVERS,
        8_000,
        List.of(
            new Kind("killed", 500, 6_000, n -> at(servers, n).kill(), n -> again(servers, n)),
            new Kind("drained", 500, 6_000, n -> at(servers, n).stop(), n -> again(servers, n)),
            new Kind(
                "frozen",
                1_000,
                25_000,
                n -> at(servers, n).freeze(),
                n -> at(servers, n).thaw())));
  }

  private static void again(List<ChatNode> servers, int number) throws Exception {
    at(servers, number).startAgain();
  }

  private static Track links(List<BrokerLink> links) {
    return new Track(
        "link to the broker of server",
        SERVERS,
        8_000,
        List.of(
            new Kind(
                "silent", 500, 25_000, n -> at(links, n).freeze(), n -> at(links, n).restore()),
            new Kind("reset", 500, 5_000, n -> at(links, n).cut(), n -> at(links, n).restore()),
            new Kind(
                "answers held, then reset",
                500,
                5_000,
                n -> at(links, n).mute(),
                n -> {
                  at(links, n).cut();
                  at(links, n).restore();
                })));
  }

  private static Track fronts(List<TcpProxy> fronts) {
    return new Track(
        "network of the clients",
        FRONTS,
        8_000,
        List.of(
            new Kind(
                "silent", 500, 20_000, n -> at(fronts, n).freeze(), n -> at(fronts, n).restore()),
            new Kind("reset", 500, 4_000, n -> at(fronts, n).cut(), n -> at(fronts, n).restore()),
            new Kind(
                "answers held, then reset",
                500,
                3_000,
                n -> at(fronts, n).mute(),
                n -> {
                  at(fronts, n).cut();
                  at(fronts, n).restore();
                })));
  }

  /** Returns faults in which other programs use the cores. */
  private static Track cores() {
    Deque<Burners> burning = new ConcurrentLinkedDeque<>();
    return new Track(
        "cores",
        1,
        30_000,
        List.of(
            new Kind(
                "used by others",
                2_000,
                8_000,
                _ -> burning.add(new Burners()),
                _ -> burning.remove().close())));
  }

  private static <T> T at(List<T> all, int number) {
    return all.get(number - 1);
  }
}
