package dev.chatflow.lab.chaos;

import static dev.chatflow.lab.chaos.Loads.onTwoServers;
import static dev.chatflow.lab.chaos.Loads.stayed;
import static dev.chatflow.lab.chaos.Loads.steady;
import static dev.chatflow.lab.chaos.Loads.urls;

import dev.chatflow.lab.broker.FaultyBroker;
import dev.chatflow.lab.broker.Filler;
import dev.chatflow.lab.broker.Pause;
import dev.chatflow.lab.chaos.Scenario.Played;
import dev.chatflow.lab.node.ChatNode;
import dev.chatflow.lab.node.LoadRun;
import dev.chatflow.lab.node.Problems;
import dev.chatflow.lab.peer.Watcher;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.Shard;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Faults of the broker as a whole. */
final class BrokerFaults {

  static final List<Scenario> ALL =
      List.of(
          Scenario.of(
                  "broker-restart",
                  2,
                  "the broker shuts down cleanly and returns (embedded: its port is closed)",
                  BrokerFaults::brokerRestart)
              .quick(),
          Scenario.of(
                  "broker-kill",
                  2,
                  "kill -9 of the broker; RabbitMQ only",
                  BrokerFaults::brokerKill)
              .rabbitOnly(),
          Scenario.of(
                  "close-connections",
                  2,
                  "the broker ends all connections, five times",
                  BrokerFaults::closeConnections)
              .quick(),
          Scenario.of(
                  "memory-alarm",
                  1,
                  "RabbitMQ accepts no publishes for 5 s; only the publisher connection is blocked",
                  BrokerFaults::memoryAlarm)
              .quick()
              .rabbitOnly(),
          Scenario.of(
                  "disk-alarm",
                  2,
                  "RabbitMQ accepts no publishes for 30 s because its disk is full: its logs"
                      + " shrink only after a policy shortens them",
                  BrokerFaults::diskAlarm)
              .rabbitOnly()
              .anywhere());

  /** More than a short log may hold. */
  private static final long FULL_LOG = 60_000_000;

  private static final Duration SECOND = Duration.ofSeconds(1);

  private BrokerFaults() {}

  static Played brokerRestart(Stage stage) throws Exception {
    return brokerAway(stage, stage.broker()::stop);
  }

  static Played brokerKill(Stage stage) throws Exception {
    return brokerAway(stage, stage.broker()::kill);
  }

  private static Played brokerAway(Stage stage, Stage.Fault gone) throws Exception {
    LoadRun load = onTwoServers(stage, steady(stage.broker().isRabbit() ? 30 : 12));
    Pause.of(stage.about(SECOND));
    Problems problems = new Problems();
    Duration away =
        stage.outage(
            gone,
            () -> {
              Pause.of(stage.about(SECOND.multipliedBy(2)));
              stage.servers().forEach(server -> server.expectHealth(false, problems));
              stage.broker().start();
            });
    stage.servers().forEach(server -> server.expectHealth(true, problems));
    return stayed(load, away).with(problems);
  }

  static Played closeConnections(Stage stage) throws Exception {
    LoadRun load = onTwoServers(stage, steady(stage.broker().isRabbit() ? 22 : 15));
    stage.broker().closeConnections(Stream.generate(() -> stage.about(SECOND)).limit(5).toList());
    Played played = stayed(load, Duration.ZERO);
    Problems problems = new Problems();
    problems.unless(
        !stage.logs().contains("unknown delivery tag"),
        "a channel received delivery tags of another");
    return played.with(problems);
  }

  static Played memoryAlarm(Stage stage) throws Exception {
    FaultyBroker broker = stage.broker();
    ChatNode server = stage.server();
    LoadRun load = stage.load(urls(stage), steady(14));
    Pause.of(stage.about(SECOND));
    long begun = System.nanoTime();
    broker.alarm(true);
    Pause.of(SECOND.multipliedBy(5));
    Problems problems = new Problems();
    String publisher = blocked(server, problems);
    server.expectHealth(false, problems);
    broker.alarm(false);
    Duration away = Duration.ofNanos(System.nanoTime() - begun);
    server.expectHealth(true, problems);
    load.mustRun();
    return new Played(load.await(), away, true, publisher, problems.all());
  }

  /**
   * Checks that only a policy helps: retention runs when a segment is full, and during the alarm
   * nothing is written.
   */
  static Played diskAlarm(Stage stage) throws Exception {
    FaultyBroker broker = stage.broker();
    ChatNode server = stage.server();
    stage.server();
    Shard shard = Shard.of(new RoomId("1"), Shard.DEFAULT_COUNT);
    try (Watcher _ = Watcher.of(server, 1)) { // creates its log
      broker.onChannel(channel -> Filler.fill(channel, shard));
    }
    LoadRun load = stage.load(urls(stage), steady(70));
    Pause.of(stage.about(SECOND));
    long begun = System.nanoTime();
    broker.diskAlarm(true);
    Pause.of(SECOND.multipliedBy(5)); // messages in flight are written
    long before = broker.logBytes(shard);
    Pause.of(SECOND.multipliedBy(20));
    Problems problems = new Problems();
    problems.unless(before > FULL_LOG, "the log holds " + before + " bytes");
    problems.unless(broker.logBytes(shard) == before, "the log shrinks by itself");
    broker.shortenLogs(true);
    stage.await(load, () -> broker.logBytes(shard) < before / 2);
    long after = broker.logBytes(shard);
    problems.unless(after < before / 2, "the policy left " + after + " bytes of " + before);
    String publisher = blocked(server, problems);
    server.expectHealth(false, problems);
    broker.diskAlarm(false);
    Duration away = Duration.ofNanos(System.nanoTime() - begun);
    server.expectHealth(true, problems);
    broker.shortenLogs(false);
    load.mustRun();
    String note = publisher + ", log " + (before >> 20) + " MiB, then " + (after >> 20);
    return new Played(load.await(), away, true, note, problems.all());
  }

  private static String blocked(ChatNode server, Problems problems) throws IOException {
    String publisher = server.health().getAsJsonObject("broker").get("publisher").getAsString();
    problems.unless(publisher.equals("BLOCKED"), "/health says publisher " + publisher);
    return "publisher " + publisher;
  }
}
