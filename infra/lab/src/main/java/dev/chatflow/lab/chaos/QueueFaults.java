package dev.chatflow.lab.chaos;

import static dev.chatflow.lab.chaos.Loads.RECONNECTING;
import static dev.chatflow.lab.chaos.Loads.reconnecting;
import static dev.chatflow.lab.chaos.Loads.told;
import static dev.chatflow.lab.chaos.Loads.urls;
import static dev.chatflow.lab.chaos.Loads.with;
import static dev.chatflow.lab.chaos.Loads.words;

import dev.chatflow.broker.Topology;
import dev.chatflow.lab.chaos.Scenario.Played;
import dev.chatflow.lab.node.ChatNode;
import dev.chatflow.lab.node.LoadRun;
import dev.chatflow.lab.node.Pause;
import dev.chatflow.room.Shard;
import dev.chatflow.server.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What somebody does by hand to the queues and bindings of servers that run. */
final class QueueFaults {

  static final List<Scenario> ALL =
      List.of(
          Scenario.of(
                  "queue-deleted",
                  2,
                  "a server's queue is deleted by hand",
                  QueueFaults::queueDeleted)
              .quick(),
          Scenario.of(
                  "queue-purged",
                  2,
                  "a server is cut off, its queue is emptied, and nobody says anything more: only a beacon can tell",
                  QueueFaults::queuePurged)
              .quick(),
          Scenario.of(
                  "binding-removed",
                  2,
                  "a shard's binding is removed by hand: deliveries just stop, only the watchdog notices",
                  QueueFaults::bindingRemoved)
              .quick());

  private static final Duration SECOND = Duration.ofSeconds(1);

  private QueueFaults() {}

  static Played queueDeleted(Stage stage) throws Exception {
    ChatNode bereft = stage.server();
    stage.server();
    LoadRun load = stage.load(urls(stage), reconnecting(10));
    Pause.of(stage.about(SECOND));
    String queue = bereft.queues().get(stage.random().nextInt(bereft.queues().size()));
    stage.broker().onChannel(channel -> channel.queueDelete(queue));
    load.mustRun();
    return told(load);
  }

  /** The tail of a lane is lost, and then it is quiet: only a beacon can show that. */
  static Played queuePurged(Stage stage) throws Exception {
    TcpProxy network = stage.network(TcpProxy.narrow(16_384, stage.broker().uri().getPort()));
    ChatNode bereft = stage.server(stage.through(network), Map.of());
    stage.server();
    LoadRun load = stage.load(urls(stage), with(RECONNECTING, words("-r 8 -u 10 -R 800 -d 6s")));
    network.freeze();
    Pause.of(SECOND.multipliedBy(7)); // the load ends meanwhile
    for (String queue : bereft.queues()) {
      stage.broker().onChannel(channel -> channel.queuePurge(queue));
    }
    network.mend();
    return told(load);
  }

  static Played bindingRemoved(Stage stage) throws Exception {
    ChatNode bereft = stage.server();
    stage.server();
    LoadRun load = stage.load(urls(stage), reconnecting(12));
    Pause.of(stage.about(SECOND));
    Shard shard = new Shard(stage.random().nextInt(Shard.DEFAULT_COUNT));
    List<String> queues = bereft.queues();
    String queue = queues.get(shard.index() % queues.size());
    stage
        .broker()
        .onChannel(
            channel -> channel.queueUnbind(queue, Topology.EXCHANGE, Topology.bindingKey(shard)));
    load.mustRun();
    return told(load);
  }
}
