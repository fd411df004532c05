package dev.chatflow.lab.chaos;

import static dev.chatflow.lab.chaos.Loads.RECONNECTING;
import static dev.chatflow.lab.chaos.Loads.balanced;
import static dev.chatflow.lab.chaos.Loads.onTwoServers;
import static dev.chatflow.lab.chaos.Loads.reconnecting;
import static dev.chatflow.lab.chaos.Loads.returned;
import static dev.chatflow.lab.chaos.Loads.url;
import static dev.chatflow.lab.chaos.Loads.with;
import static dev.chatflow.lab.chaos.Loads.words;

import com.google.gson.JsonObject;
import dev.chatflow.lab.broker.Pause;
import dev.chatflow.lab.chaos.Scenario.Played;
import dev.chatflow.lab.node.Burners;
import dev.chatflow.lab.node.ChatNode;
import dev.chatflow.lab.node.LoadRun;
import dev.chatflow.lab.node.Problems;
import dev.chatflow.lab.peer.HalfHeads;
import dev.chatflow.lab.peer.Watcher;
import dev.chatflow.server.TcpProxy;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;

/** Faults of servers: clean and unclean ends. */
final class ServerFaults {

  static final List<Scenario> ALL =
      List.of(
          Scenario.of(
              "server-kill",
              2,
              "kill -9 of one; it restarts. Clients reconnect through a balancer; a member on"
                  + " the other server sees them join again and no one leave",
              ServerFaults::serverKill),
          Scenario.of(
              "rolling-restart",
              4,
              "SIGTERM and a restart, one after another",
              ServerFaults::rollingRestart),
          Scenario.of(
              "drain", 2, "SIGTERM with 1,000 connections: closed within 5 s", ServerFaults::drain),
          Scenario.of(
              "drain-request",
              2,
              "the same by `POST /drain`; the process stays",
              ServerFaults::drainRequest),
          Scenario.of(
                  "server-frozen",
                  2,
                  "one gets no CPU for 20 s during a burst (SIGSTOP); after 3 s the balancer"
                      + " sends its users to the other",
                  stage -> serverFrozen(stage, 20))
              .quick()
              .anywhere(),
          Scenario.of(
                  "server-frozen-long", 2, "the same for 150 s", stage -> serverFrozen(stage, 150))
              .anywhere(),
          Scenario.of(
                  "servers-killed",
                  2,
                  "kill -9 of all at once; after the restart, history includes earlier messages",
                  ServerFaults::serversKilled)
              .anywhere(),
          Scenario.of(
                  "mass-resume",
                  2,
                  "kill -9 of the server with 1,000 members: all resume on the other at once",
                  ServerFaults::massResume)
              .anywhere(),
          Scenario.of(
                  "heap-exhausted",
                  2,
                  "requests whose headers never end exhaust the heap of one: it exits with"
                      + " status 3, its members resume, and it is restarted",
                  ServerFaults::heapExhausted)
              .anywhere(),
          Scenario.of(
              "cores-taken",
              2,
              "other programs use all cores while the broker stops and returns",
              ServerFaults::coresTaken));

  /** The exit status of a JVM with an exhausted heap. */
  private static final int EXHAUSTED = 3;

  private static final Duration SECOND = Duration.ofSeconds(1);

  /** Maximum time to drain, 5 s with the usual grace. */
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
      problems.unless(watcher.joins() > 0, "another member of the room saw no one join again");
      problems.unless(watcher.leaves() == 0, "the dead server's users left " + watcher.leaves());
      return returned(load, away).with(problems);
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

  /** Runs a drain request: the server stays and accepts no connections. */
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

  /**
   * Runs a frozen server: messages to it appear on the other; those in its sockets must not appear
   * late.
   */
  private static Played serverFrozen(Stage stage, int seconds) throws Exception {
    ChatNode frozen = stage.server();
    ChatNode lives = stage.server();
    TcpProxy front = stage.network(TcpProxy.to(frozen.port()));
    LoadRun load =
        stage.load(
            List.of(url(front), lives.url()),
            with(RECONNECTING, words("-r 8 -u 10 -R 600 -d " + (seconds + 25) + "s")));
    Pause.of(stage.about(SECOND));
    long begun = System.nanoTime();
    frozen.freeze();
    Pause.of(SECOND.multipliedBy(3)); // clients still write into its sockets
    front.onlyTo(lives.port());
    front.cut();
    front.restore();
    Pause.of(SECOND.multipliedBy(seconds - 3L));
    frozen.thaw();
    Duration away = Duration.ofNanos(System.nanoTime() - begun);
    stage.await(load, () -> frozen.output().contains("was paused for"));
    Played played = returned(load, away);
    Problems problems = new Problems();
    problems.unless(
        frozen.output().contains("was paused for"), "the frozen server noticed nothing");
    return played.with(problems);
  }

  static Played serversKilled(Stage stage) throws Exception {
    LoadRun load = onTwoServers(stage, reconnecting(40));
    Pause.of(stage.about(SECOND.multipliedBy(2)));
    JsonObject before = stage.servers().getFirst().newest(1);
    long begun = System.nanoTime();
    stage.servers().forEach(ChatNode::kill);
    for (ChatNode server : stage.servers()) {
      server.startAgain();
    }
    Duration away = Duration.ofNanos(System.nanoTime() - begun);
    Played played = returned(load, away);
    Problems problems = new Problems();
    for (ChatNode server : stage.servers()) {
      problems.unless(
          server.keeps(1, before), server.url() + " has no earlier messages: " + before);
    }
    return played.with(problems);
  }

  static Played massResume(Stage stage) throws Exception {
    ChatNode dies = stage.server();
    TcpProxy network = stage.network(TcpProxy.to(dies.port()));
    LoadRun load =
        stage.load(List.of(url(network)), with(RECONNECTING, words("-r 20 -u 50 -R 200 -d 40s")));
    network.alsoTo(stage.server().port());
    dies.kill();
    Played played = returned(load, Duration.ZERO);
    Problems problems = new Problems();
    long back = played.result().count("reconnections");
    problems.unless(back >= 1_000, back + " came back");
    return played.with(problems);
  }

  /** Runs an exhausted heap: no limit of the server covers incomplete request headers. */
  static Played heapExhausted(Stage stage) throws Exception {
    ChatNode small = stage.smallServer();
    stage.server();
    LoadRun load = stage.load(balanced(stage), reconnecting(45));
    Pause.of(stage.about(SECOND));
    long begun = System.nanoTime();
    try (HalfHeads heads = new HalfHeads(small.port())) {
      heads.openWhile(small::isAlive);
    }
    int status = small.awaitExit();
    small.startAgain();
    Duration away = Duration.ofNanos(System.nanoTime() - begun);
    Played played = returned(load, away);
    Problems problems = new Problems();
    problems.unless(status == EXHAUSTED, "it ended with status " + status);
    problems.unless(small.output().contains("OutOfMemoryError"), "it does not log why it ended");
    return played.with(problems);
  }

  /** Runs without free cores: the server must not close members because of its own delay. */
  static Played coresTaken(Stage stage) throws Exception {
    LoadRun load = onTwoServers(stage, words("-r 20 -u 50 -R 200 -d 45s"));
    try (Burners _ = new Burners()) {
      Pause.of(stage.about(SECOND));
      Duration away = stage.outage(stage.broker()::stop, stage.broker()::start);
      Pause.of(SECOND.multipliedBy(5));
      load.mustRun();
      // With a quarter of the machine everything takes four times as long.
      return new Played(
          load.await(), away, true, "", List.of(), away.multipliedBy(2).plusSeconds(10));
    }
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
    Problems problems = new Problems();
    problems.unless(took.compareTo(DRAIN_BOUND.plus(stage.grace())) < 0, "drained in " + took);
    long closed = played.result().closedWith(1001);
    problems.unless(closed == 1_000, closed + " closed with 1001");
    return played.noting(closed + " closed with 1001").with(problems);
  }
}
