package dev.chatflow.lab.chaos;

import static dev.chatflow.lab.chaos.Loads.RECONNECTING;
import static dev.chatflow.lab.chaos.Loads.balanced;
import static dev.chatflow.lab.chaos.Loads.reconnecting;
import static dev.chatflow.lab.chaos.Loads.returned;
import static dev.chatflow.lab.chaos.Loads.url;
import static dev.chatflow.lab.chaos.Loads.with;
import static dev.chatflow.lab.chaos.Loads.words;

import dev.chatflow.lab.chaos.Scenario.Played;
import dev.chatflow.lab.node.ChatNode;
import dev.chatflow.lab.node.LoadRun;
import dev.chatflow.lab.node.Pause;
import dev.chatflow.lab.peer.Watcher;
import dev.chatflow.server.TcpProxy;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;

/** Servers that end, in order and otherwise. */
final class ServerFaults {

  static final List<Scenario> ALL =
      List.of(
          Scenario.of(
              "server-kill",
              2,
              "kill -9 of one; it comes back as another boot. Clients reconnect through a balancer; a member on the other server sees them join again and nobody leave",
              ServerFaults::serverKill),
          Scenario.of(
              "rolling-restart",
              4,
              "SIGTERM and a new start, one after another",
              ServerFaults::rollingRestart),
          Scenario.of(
              "drain", 2, "SIGTERM with 1,000 connections: gone within 5 s", ServerFaults::drain),
          Scenario.of(
              "drain-request",
              2,
              "the same by `POST /drain`; the process stays",
              ServerFaults::drainRequest));

  private static final Duration SECOND = Duration.ofSeconds(1);

  /** With the usual grace 5 s. */
  private static final Duration DRAIN_BOUND = Duration.ofSeconds(3);

  private ServerFaults() {}

  static Played serverKill(Stage stage) throws Exception {
    ChatNode dies = stage.server();
    ChatNode lives = stage.server();
    LoadRun load = stage.load(balanced(stage), reconnecting(20));
    Pause.of(stage.about(SECOND));
    try (Watcher watcher = Watcher.of(lives, 1)) {
      long begun = System.nanoTime();
      dies.kill();
      Pause.of(stage.about(SECOND.multipliedBy(2)));
      dies.startAgain();
      Duration away = Duration.ofNanos(System.nanoTime() - begun);
      Problems problems = new Problems();
      problems.unless(watcher.joins() > 0, "another member of the room saw nobody join again");
      problems.unless(watcher.leaves() == 0, "the dead server's users left " + watcher.leaves());
      Played played = returned(load, away);
      problems.addAll(played.problems());
      return new Played(played.result(), away, false, played.note(), problems.all());
    }
  }

  static Played rollingRestart(Stage stage) throws Exception {
    for (int i = 0; i < 4; i++) {
      stage.server();
    }
    LoadRun load = stage.load(balanced(stage), reconnecting(60));
    long begun = System.nanoTime();
    for (ChatNode server : stage.servers()) {
      server.stop();
      server.startAgain();
    }
    return returned(load, Duration.ofNanos(System.nanoTime() - begun));
  }

  static Played drain(Stage stage) throws Exception {
    return drain(stage, ChatNode::stop);
  }

  /** The server stays, and takes nobody in. */
  static Played drainRequest(Stage stage) throws Exception {
    return drain(
        stage,
        server -> {
          server.drain();
          Awaitility.await("drained")
              .atMost(Duration.ofSeconds(60))
              .until(() -> server.output().contains(": drained"));
        });
  }

  private interface Draining {
    void of(ChatNode server) throws Exception;
  }

  private static Played drain(Stage stage, Draining draining) throws Exception {
    ChatNode stops = stage.server();
    TcpProxy network = stage.network(TcpProxy.to(stops.port()));
    LoadRun load =
        stage.load(List.of(url(network)), with(RECONNECTING, words("-r 20 -u 50 -R 200 -d 25s")));
    network.alsoTo(stage.server().port());
    draining.of(stops);
    Duration took = stops.between(": draining 1000 connections", ": drained");
    Played played = returned(load, took);
    Problems problems = new Problems(played.problems());
    problems.unless(took.compareTo(DRAIN_BOUND.plus(stage.grace())) < 0, "drained in " + took);
    long told = played.result().closedWith(1001);
    problems.unless(told == 1_000, told + " told to come back (1001)");
    return new Played(played.result(), took, false, told + " told (1001)", problems.all());
  }
}
