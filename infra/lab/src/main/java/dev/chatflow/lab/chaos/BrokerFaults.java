package dev.chatflow.lab.chaos;

import static dev.chatflow.lab.chaos.Loads.stayed;
import static dev.chatflow.lab.chaos.Loads.steady;
import static dev.chatflow.lab.chaos.Loads.urls;

import dev.chatflow.lab.broker.Pause;
import dev.chatflow.lab.chaos.Scenario.Played;
import dev.chatflow.lab.node.ChatNode;
import dev.chatflow.lab.node.LoadRun;
import dev.chatflow.lab.node.Problems;
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
                  "the broker stops in order and comes back (embedded: its port is closed)",
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
                  "RabbitMQ takes no publishes for 5 s; only the publisher connection is blocked",
                  BrokerFaults::memoryAlarm)
              .quick()
              .rabbitOnly(),
          Scenario.of(
                  "disk-alarm",
                  2,
                  "RabbitMQ takes no publishes for 30 s, since its disk is short",
                  BrokerFaults::diskAlarm)
              .rabbitOnly());

  private static final Duration SECOND = Duration.ofSeconds(1);

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
    LoadRun load = stage.load(urls(stage), steady(stage.broker().isRabbit() ? 30 : 12));
    Pause.of(stage.about(SECOND));
    Duration away =
        stage.outage(
            gone,
            () -> {
              Pause.of(stage.about(SECOND.multipliedBy(2)));
              stage.broker().start();
            });
    return stayed(load, away);
  }

  static Played closeConnections(Stage stage) throws Exception {
    stage.server();
    stage.server();
    LoadRun load = stage.load(urls(stage), steady(stage.broker().isRabbit() ? 22 : 15));
    stage.broker().closeConnections(Stream.generate(() -> stage.about(SECOND)).limit(5).toList());
    Played played = stayed(load, Duration.ZERO);
    Problems problems = new Problems(played.problems());
    problems.unless(
        !stage.logs().contains("unknown delivery tag"), "a channel was told tags of another");
    return new Played(played.result(), Duration.ZERO, true, "", problems.all());
  }

  static Played memoryAlarm(Stage stage) throws Exception {
    return alarm(stage, 14, 5, stage.broker()::alarm);
  }

  static Played diskAlarm(Stage stage) throws Exception {
    stage.server();
    return alarm(stage, 45, 30, stage.broker()::diskAlarm);
  }

  /** Begins and ends an alarm. */
  private interface Alarm {
    void turn(boolean on) throws IOException;
  }

  private static Played alarm(Stage stage, int load, int seconds, Alarm alarm) throws Exception {
    ChatNode server = stage.server();
    LoadRun run = stage.load(urls(stage), steady(load));
    Pause.of(stage.about(SECOND));
    long begun = System.nanoTime();
    alarm.turn(true);
    Pause.of(SECOND.multipliedBy(seconds));
    String publisher = server.health().getAsJsonObject("broker").get("publisher").getAsString();
    alarm.turn(false);
    Duration away = Duration.ofNanos(System.nanoTime() - begun);
    run.mustRun();
    Problems problems = new Problems();
    problems.unless(publisher.equals("BLOCKED"), "/health says publisher " + publisher);
    return new Played(run.await(), away, true, "publisher " + publisher, problems.all());
  }
}
