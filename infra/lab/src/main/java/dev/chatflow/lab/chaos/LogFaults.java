package dev.chatflow.lab.chaos;

import static dev.chatflow.lab.chaos.Loads.closedAfterLoss;
import static dev.chatflow.lab.chaos.Loads.onTwoServers;
import static dev.chatflow.lab.chaos.Loads.reconnecting;
import static dev.chatflow.lab.chaos.Loads.stayed;
import static dev.chatflow.lab.chaos.Loads.steady;
import static dev.chatflow.lab.chaos.Loads.urls;

import dev.chatflow.broker.Topology;
import dev.chatflow.lab.broker.BrokerLink;
import dev.chatflow.lab.broker.FaultyBroker;
import dev.chatflow.lab.broker.Filler;
import dev.chatflow.lab.broker.Pause;
import dev.chatflow.lab.chaos.Scenario.Played;
import dev.chatflow.lab.node.ChatNode;
import dev.chatflow.lab.node.LoadRun;
import dev.chatflow.lab.node.Problems;
import dev.chatflow.lab.peer.Watcher;
import dev.chatflow.room.Shard;
import dev.chatflow.server.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Faults of shard logs in use, and of their readers. */
final class LogFaults {

  static final List<Scenario> ALL =
      List.of(
          Scenario.of("log-deleted", 2, "a shard log is deleted by hand", LogFaults::logDeleted)
              .quick(),
          Scenario.of(
                  "binding-removed",
                  2,
                  "a log's binding is removed by hand while another queue is still bound:"
                      + " nothing is returned, only the watchdog notices",
                  LogFaults::bindingRemoved)
              .quick(),
          Scenario.of(
                  "log-cut",
                  2,
                  "one server cannot reach the broker for 20 s, and a log is truncated to less"
                      + " than it has read",
                  LogFaults::logCut)
              .anywhere(),
          Scenario.of(
              "reader-silenced",
              2,
              "the connection through which one server reads stalls without notice",
              LogFaults::readerSilenced),
          Scenario.of(
              "start-between-copies",
              2,
              "a flight is in the log, its confirm is held back; a second server starts to read"
                  + " the shard; then the flight is published again",
              LogFaults::startBetweenCopies));

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final String WITNESS = "chat.witness";

  private LogFaults() {}

  static Played logDeleted(Stage stage) throws Exception {
    LoadRun load = onTwoServers(stage, reconnecting(10));
    Pause.of(stage.about(SECOND));
    stage.broker().onChannel(channel -> channel.queueDelete(Topology.log(some(stage))));
    load.mustRun();
    return closedAfterLoss(load);
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
    return closedAfterLoss(load);
  }

  /** Runs a truncated log: its members are closed, because no log has the messages they missed. */
  static Played logCut(Stage stage) throws Exception {
    FaultyBroker broker = stage.broker();
    BrokerLink link = stage.link();
    ChatNode away = stage.server(link.uri(), Map.of());
    stage.server();
    Shard shard = some(stage);
    broker.shortenLogs(true);
    try {
      LoadRun load = stage.load(urls(stage), reconnecting(60));
      Pause.of(stage.about(SECOND));
      int before = away.output().length();
      link.freeze();
      Pause.of(SECOND.multipliedBy(3)); // messages are sent in the meantime
      broker.onChannel(channel -> Filler.fill(channel, shard));
      Pause.of(SECOND.multipliedBy(17)); // longer than the heartbeat
      link.restore();
      String lost = "shard " + shard.index() + ": entries may be missing";
      stage.await(load, () -> away.output().substring(before).contains(lost));
      Played played = closedAfterLoss(load);
      Problems problems = new Problems();
      problems.unless(away.output().contains(lost), "the disconnected server noticed no gap");
      return played.with(problems);
    } finally {
      broker.shortenLogs(false);
    }
  }

  static Played readerSilenced(Stage stage) throws Exception {
    TcpProxy network = stage.network(TcpProxy.to(stage.broker().uri().getPort()));
    ChatNode silenced = stage.server(stage.through(network), Map.of());
    stage.server();
    LoadRun load = stage.load(urls(stage), steady(45));
    Pause.of(stage.about(SECOND));
    long begun = System.nanoTime();
    network.silenceBusiest();
    Problems problems = new Problems();
    silenced.expectHealth(false, problems);
    stage.await(load, () -> silenced.output().contains("reading continues"));
    Duration silent = Duration.ofNanos(System.nanoTime() - begun);
    silenced.expectHealth(true, problems);
    problems.unless(silenced.output().contains("reading continues"), "the reader noticed nothing");
    String note = "read on after " + silent.toMillis() + " ms";
    return stayed(load, silent).noting(note).with(problems);
  }

  static Played startBetweenCopies(Stage stage) throws Exception {
    TcpProxy network = stage.network(TcpProxy.to(stage.broker().uri().getPort()));
    ChatNode speaks = stage.server(stage.through(network), Map.of());
    ChatNode starts = stage.server();
    LoadRun load = stage.load(List.of(speaks.url()), steady(20));
    Duration held = SECOND.multipliedBy(3);
    Pause.of(stage.about(SECOND)); // each shard then has a flight
    network.mute();
    Pause.of(SECOND);
    try (Watcher watcher = Watcher.of(starts, 1)) {
      Pause.of(held.minus(SECOND));
      network.cut();
      network.restore();
      Played played = stayed(load, held);
      long copies = starts.stats().get("duplicatesDropped").getAsLong();
      Problems problems = new Problems();
      problems.unless(copies > 0, "nothing was republished");
      problems.unless(watcher.texts() > 0, "the second server showed nothing");
      problems.unless(watcher.repeats() == 0, "shown again: " + watcher.repeats());
      return played.noting(copies + " copies passed over").with(problems);
    }
  }

  private static Shard some(Stage stage) {
    return new Shard(stage.random().nextInt(Shard.DEFAULT_COUNT));
  }
}
