package dev.chatflow.server.chaos;

import static dev.chatflow.server.chaos.Loads.RECONNECTING;
import static dev.chatflow.server.chaos.Loads.balanced;
import static dev.chatflow.server.chaos.Loads.reconnecting;
import static dev.chatflow.server.chaos.Loads.returned;
import static dev.chatflow.server.chaos.Loads.url;
import static dev.chatflow.server.chaos.Loads.with;
import static dev.chatflow.server.chaos.Loads.words;

import dev.chatflow.server.TcpProxy;
import dev.chatflow.server.chaos.Scenario.Played;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;

/** Servers that end, in order and otherwise. */
final class ServerFaults {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration DRAIN_BOUND = Duration.ofSeconds(5);

  private ServerFaults() {}

  static Played serverKill(Stage stage) throws Exception {
    ChatNode dies = stage.server();
    ChatNode lives = stage.server();
    LoadRun load = stage.load(balanced(stage), reconnecting(20));
    Stage.pass(stage.about(SECOND));
    try (Watcher watcher = Watcher.of(lives, 1)) {
      long begun = System.nanoTime();
      dies.kill();
      Stage.pass(stage.about(SECOND.multipliedBy(2)));
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
    problems.unless(took.compareTo(DRAIN_BOUND) < 0, "drained in " + took);
    long told = played.result().closedWith(1001);
    problems.unless(told == 1_000, told + " told to come back (1001)");
    return new Played(played.result(), took, false, told + " told (1001)", problems.all());
  }
}
