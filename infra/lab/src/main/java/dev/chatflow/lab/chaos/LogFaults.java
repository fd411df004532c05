package dev.chatflow.lab.chaos;

import static dev.chatflow.lab.chaos.Loads.reconnecting;
import static dev.chatflow.lab.chaos.Loads.told;
import static dev.chatflow.lab.chaos.Loads.urls;

import dev.chatflow.broker.Topology;
import dev.chatflow.lab.chaos.Scenario.Played;
import dev.chatflow.lab.node.LoadRun;
import dev.chatflow.lab.node.Pause;
import dev.chatflow.room.Shard;
import java.time.Duration;
import java.util.List;

/** What somebody does by hand to the logs of servers that run. */
final class LogFaults {

  static final List<Scenario> ALL =
      List.of(
          Scenario.of("log-deleted", 2, "a shard's log is deleted by hand", LogFaults::logDeleted)
              .quick(),
          Scenario.of(
                  "binding-removed",
                  2,
                  "a log's binding is removed by hand while another queue still takes the shard: "
                      + "nothing is returned, only the watchdog notices",
                  LogFaults::bindingRemoved)
              .quick());

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final String WITNESS = "chat.audit.witness";

  private LogFaults() {}

  static Played logDeleted(Stage stage) throws Exception {
    stage.server();
    stage.server();
    LoadRun load = stage.load(urls(stage), reconnecting(10));
    Pause.of(stage.about(SECOND));
    stage.broker().onChannel(channel -> channel.queueDelete(Topology.log(some(stage))));
    load.mustRun();
    return told(load);
  }

  static Played bindingRemoved(Stage stage) throws Exception {
    stage.server();
    stage.server();
    Shard shard = some(stage);
    stage
        .broker()
        .onChannel(channel -> {
          channel.queueDeclare(WITNESS, false, false, true, null);
          Topology.bind(channel, WITNESS, shard);
        });
    LoadRun load = stage.load(urls(stage), reconnecting(12));
    Pause.of(stage.about(SECOND));
    stage.broker().onChannel(channel -> Topology.unbind(channel, Topology.log(shard), shard));
    load.mustRun();
    return told(load);
  }

  private static Shard some(Stage stage) {
    return new Shard(stage.random().nextInt(Shard.DEFAULT_COUNT));
  }
}
