package dev.chatflow.server.chaos;

import static dev.chatflow.server.chaos.Loads.RECONNECTING;
import static dev.chatflow.server.chaos.Loads.reconnecting;
import static dev.chatflow.server.chaos.Loads.stayed;
import static dev.chatflow.server.chaos.Loads.steady;
import static dev.chatflow.server.chaos.Loads.told;
import static dev.chatflow.server.chaos.Loads.urls;
import static dev.chatflow.server.chaos.Loads.with;
import static dev.chatflow.server.chaos.Loads.words;

import dev.chatflow.broker.Topology;
import dev.chatflow.room.Shard;
import dev.chatflow.server.TcpProxy;
import dev.chatflow.server.chaos.Scenario.Played;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Faults of the broker, by itself and by hand. */
final class BrokerFaults {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final int SHARDS = 4;

  private BrokerFaults() {}

  static Played brokerRestart(Stage stage) throws Exception {
    return brokerAway(stage, stage.broker()::stop);
  }

  static Played brokerKill(Stage stage) throws Exception {
    return brokerAway(stage, stage.broker()::kill);
  }

  private static Played brokerAway(Stage stage, Stage.Fault gone) throws Exception {
    stage.server();
    stage.server();
    LoadRun load = stage.load(urls(stage), steady(stage.broker().hasAlarm() ? 30 : 12));
    Stage.pass(stage.about(SECOND));
    Duration away =
        stage.outage(
            gone,
            () -> {
              Stage.pass(stage.about(SECOND.multipliedBy(2)));
              stage.broker().start();
            });
    return stayed(load, away);
  }

  static Played closeConnections(Stage stage) throws Exception {
    stage.server();
    stage.server();
    LoadRun load = stage.load(urls(stage), steady(stage.broker().hasAlarm() ? 22 : 15));
    stage.broker().closeConnections(Stream.generate(() -> stage.about(SECOND)).limit(5).toList());
    Played played = stayed(load, Duration.ZERO);
    Problems problems = new Problems(played.problems());
    problems.unless(
        !stage.logs().contains("unknown delivery tag"), "a channel was told tags of another");
    return new Played(played.result(), Duration.ZERO, true, "", problems.all());
  }

  static Played memoryAlarm(Stage stage) throws Exception {
    ChatNode server = stage.server();
    LoadRun load = stage.load(urls(stage), steady(14));
    Stage.pass(stage.about(SECOND));
    long begun = System.nanoTime();
    stage.broker().alarm(true);
    Stage.pass(SECOND.multipliedBy(5));
    String publisher = server.health().getAsJsonObject("broker").get("publisher").getAsString();
    stage.broker().alarm(false);
    Duration away = Duration.ofNanos(System.nanoTime() - begun);
    Problems problems = new Problems();
    problems.unless(publisher.equals("BLOCKED"), "/health says publisher " + publisher);
    problems.unless(load.isRunning(), "the fault outlasted the load");
    return new Played(load.await(), away, true, "publisher " + publisher, problems.all());
  }

  static Played queueDeleted(Stage stage) throws Exception {
    ChatNode bereft = stage.server();
    stage.server();
    LoadRun load = stage.load(urls(stage), reconnecting(10));
    Stage.pass(stage.about(SECOND));
    String queue = bereft.queues().get(stage.random().nextInt(bereft.queues().size()));
    stage.broker().onChannel(channel -> channel.queueDelete(queue));
    return told(load);
  }

  /** The tail of a lane is lost, and then it is quiet: only a beacon can show that. */
  static Played queuePurged(Stage stage) throws Exception {
    TcpProxy network = stage.network(TcpProxy.narrow(16_384, stage.broker().uri().getPort()));
    ChatNode bereft = stage.server(stage.through(network), Map.of());
    stage.server();
    LoadRun load = stage.load(urls(stage), with(RECONNECTING, words("-r 8 -u 10 -R 800 -d 6s")));
    network.freeze();
    Stage.pass(SECOND.multipliedBy(7)); // the load ends meanwhile
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
    Stage.pass(stage.about(SECOND));
    Shard shard = new Shard(stage.random().nextInt(SHARDS));
    List<String> queues = bereft.queues();
    String queue = queues.get(shard.index() % queues.size());
    stage
        .broker()
        .onChannel(
            channel -> channel.queueUnbind(queue, Topology.EXCHANGE, Topology.bindingKey(shard)));
    return told(load);
  }
}
