package dev.chatflow.lab.chaos;

import static dev.chatflow.lab.chaos.Loads.reconnecting;
import static dev.chatflow.lab.chaos.Loads.returned;
import static dev.chatflow.lab.chaos.Loads.stayed;
import static dev.chatflow.lab.chaos.Loads.steady;
import static dev.chatflow.lab.chaos.Loads.url;
import static dev.chatflow.lab.chaos.Loads.urls;

import dev.chatflow.lab.broker.BrokerLink;
import dev.chatflow.lab.broker.Pause;
import dev.chatflow.lab.chaos.Scenario.Played;
import dev.chatflow.lab.node.ChatNode;
import dev.chatflow.lab.node.LoadRun;
import dev.chatflow.lab.node.Problems;
import dev.chatflow.server.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Faults of networks: delays and resets. */
final class NetworkFaults {

  static final List<Scenario> ALL =
      List.of(
          Scenario.of(
              "cut-broker",
              2,
              "the network between one server and the broker fails 10 times for 2 s:"
                  + " alternately silent and reset",
              NetworkFaults::cutBroker),
          Scenario.of(
              "cut-clients",
              1,
              "the same between half of the clients and the server; answers are held back"
                  + " before a reset, so that others have received the resent messages",
              NetworkFaults::cutClients),
          Scenario.of(
                  "broker-parted",
                  2,
                  "one server cannot reach the broker for 40 s, without notice",
                  stage -> brokerParted(stage, 40))
              .anywhere(),
          Scenario.of(
                  "broker-parted-long", 2, "the same for 150 s", stage -> brokerParted(stage, 150))
              .anywhere(),
          Scenario.of(
                  "clients-parted",
                  2,
                  "half of the clients cannot reach their server for 40 s, without notice",
                  NetworkFaults::clientsParted)
              .anywhere(),
          Scenario.of(
                  "clients-parted-long",
                  2,
                  "the same for 150 s, longer than servers keep unread frames",
                  NetworkFaults::clientsPartedLong)
              .anywhere());

  private static final Duration SECOND = Duration.ofSeconds(1);

  private NetworkFaults() {}

  static Played cutBroker(Stage stage) throws Exception {
    TcpProxy network = stage.network(TcpProxy.to(stage.broker().uri().getPort()));
    stage.server(stage.through(network), Map.of());
    stage.server();
    LoadRun load = stage.load(urls(stage), steady(66));
    return stayed(load, cutTenTimes(stage, network));
  }

  static Played cutClients(Stage stage) throws Exception {
    ChatNode server = stage.server();
    TcpProxy network = stage.network(TcpProxy.to(server.port()));
    LoadRun load = stage.load(List.of(url(network), server.url()), reconnecting(66));
    return returned(load, cutTenTimes(stage, network));
  }

  /**
   * Runs a partition from the broker: members stay and wait; the log decides about late messages.
   */
  private static Played brokerParted(Stage stage, int seconds) throws Exception {
    BrokerLink link = stage.link();
    ChatNode alone = stage.server(link.uri(), Map.of());
    stage.server();
    LoadRun load = stage.load(urls(stage), steady(seconds + 40));
    Pause.of(stage.about(SECOND));
    int before = alone.output().length();
    long begun = System.nanoTime();
    link.freeze();
    Problems problems = new Problems();
    alone.expectHealth(false, problems);
    Duration frozen = Duration.ofNanos(System.nanoTime() - begun);
    Pause.of(SECOND.multipliedBy(seconds).minus(frozen));
    link.restore();
    Duration away = Duration.ofNanos(System.nanoTime() - begun);
    alone.expectHealth(true, problems);
    for (String role : List.of("publisher", "consumer")) {
      problems.unless(
          alone.output().substring(before).contains("broker connection (" + role + ") lost"),
          "the " + role + " connection outlived the partition");
    }
    // Then it reconnects once a second, and finds the log.
    return stayed(load, away).within(away.plus(SECOND.multipliedBy(5))).with(problems);
  }

  /** Runs a short partition, which TCP buffers cover: no connection is closed. */
  static Played clientsParted(Stage stage) throws Exception {
    Parted parted = partClients(stage, 40, steady(70));
    return stayed(parted.load(), parted.away());
  }

  /** Runs a long partition, after which all separated members return. */
  static Played clientsPartedLong(Stage stage) throws Exception {
    Parted parted = partClients(stage, 150, reconnecting(190));
    return returned(parted.load(), parted.away());
  }

  private record Parted(LoadRun load, Duration away) {}

  private static Parted partClients(Stage stage, int seconds, String... options) throws Exception {
    TcpProxy network = stage.network(TcpProxy.to(stage.server().port()));
    ChatNode other = stage.server();
    LoadRun load = stage.load(List.of(url(network), other.url()), options);
    Pause.of(stage.about(SECOND));
    long begun = System.nanoTime();
    network.freeze();
    Pause.of(SECOND.multipliedBy(seconds));
    network.restore();
    return new Parted(load, Duration.ofNanos(System.nanoTime() - begun));
  }

  /**
   * Alternates silence and resets; before a reset, answers are held back, so that senders cannot
   * know that others have their messages. The time between two faults covers a retry (at most 1.25
   * s); otherwise one stall would have two causes.
   */
  private static Duration cutTenTimes(Stage stage, TcpProxy network) {
    Duration length = SECOND.multipliedBy(2);
    for (int i = 0; i < 10; i++) {
      if (i % 2 == 0) {
        network.freeze();
      } else {
        network.mute();
        Pause.of(length.dividedBy(4));
        network.cut();
      }
      Pause.of(length);
      network.restore();
      Pause.of(SECOND.plus(stage.about(SECOND.multipliedBy(2))));
    }
    return length.plus(length.dividedBy(4));
  }
}
