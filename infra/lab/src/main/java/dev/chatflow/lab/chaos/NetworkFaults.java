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

/** Networks that hold back and reset. */
final class NetworkFaults {

  static final List<Scenario> ALL =
      List.of(
          Scenario.of(
              "cut-broker",
              2,
              "network between one server and the broker, 2 s x 10: in turn silent and reset",
              NetworkFaults::cutBroker),
          Scenario.of(
              "cut-clients",
              1,
              "the same between half of the clients and the server; before a reset the answers are held back, so that others have seen what is sent again",
              NetworkFaults::cutClients),
          Scenario.of(
                  "broker-parted",
                  2,
                  "between one server and the broker nothing gets through for 40 s, and nobody is told",
                  stage -> brokerParted(stage, 40))
              .anywhere(),
          Scenario.of(
                  "broker-parted-long", 2, "the same for 150 s", stage -> brokerParted(stage, 150))
              .anywhere(),
          Scenario.of(
                  "clients-parted",
                  2,
                  "between half of the clients and their server nothing gets through for 40 s, and nobody is told",
                  NetworkFaults::clientsParted)
              .anywhere(),
          Scenario.of(
                  "clients-parted-long",
                  2,
                  "the same for 150 s, longer than servers keep what is not taken",
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

  /** Its members stay, and wait; what it sent late is judged by the log. */
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
    // Behind it a new connection is tried once a second, and the log is looked up.
    return stayed(load, away).within(away.plus(SECOND.multipliedBy(5))).with(problems);
  }

  /** What TCP holds is enough for so long: nobody is closed. */
  static Played clientsParted(Stage stage) throws Exception {
    Parted parted = partClients(stage, 40, steady(70));
    return stayed(parted.load(), parted.away());
  }

  /** Longer than servers keep what is not taken: whoever was cut off comes back. */
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
   * In turn nothing gets through, and everything is reset after what was answered had been held
   * back: who sends again cannot know that others have seen it. Between two cuts there is time for
   * a retry (1.25 s at most), else one stall would have two causes.
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
