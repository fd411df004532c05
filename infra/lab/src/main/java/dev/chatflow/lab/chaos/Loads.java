package dev.chatflow.lab.chaos;

import dev.chatflow.lab.chaos.Scenario.Played;
import dev.chatflow.lab.node.ChatNode;
import dev.chatflow.lab.node.LoadResult;
import dev.chatflow.lab.node.LoadRun;
import dev.chatflow.lab.node.Problems;
import dev.chatflow.server.TcpProxy;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The loads of the scenarios, and their verdicts. */
final class Loads {

  /**
   * Options with which users that lose the connection resume after their last frame, and wait for a
   * server that needs seconds to return. They must receive everything.
   */
  static final List<String> RECONNECTING =
      List.of("--resume", "--retries", "200", "--backoff", "50ms..500ms");

  private Loads() {}

  /** Judges destroyed messages: affected members are closed with 4010 and return. */
  static Played closedAfterLoss(LoadRun load) throws IOException, InterruptedException {
    LoadResult result = load.await();
    long closedAfterLoss = result.closedWith(4010);
    long sentBack = result.closedWith(1012); // senders whose entries were late
    Problems problems = new Problems();
    problems.unless(closedAfterLoss > 0, "no member was closed with 4010");
    problems.unless(
        closedAfterLoss + sentBack == result.count("connectionsLost"),
        result.count("connectionsLost")
            + " connections lost, closed with 4010: "
            + (closedAfterLoss + sentBack));
    return new Played(
        result,
        Duration.ZERO,
        false,
        closedAfterLoss
            + " closed with 4010"
            + (sentBack == 0 ? "" : ", " + sentBack + " closed with 1012"),
        problems.all());
  }

  /** Judges after the fault: no member lost its connection. */
  static Played stayed(LoadRun load, Duration away) throws Exception {
    load.mustRun();
    return new Played(load.await(), away, true, "", List.of());
  }

  /** Judges after the fault: some members had to return. */
  static Played returned(LoadRun load, Duration away) throws Exception {
    load.mustRun();
    Problems problems = new Problems();
    LoadResult result = load.await();
    long back = result.count("reconnections");
    long resumed = result.count("resumed");
    problems.unless(back > 0, "no member had to return");
    problems.unless(
        resumed + result.count("noFrame") == back, back + " returned, resumed: " + resumed);
    return new Played(result, away, false, resumed + " resumed", problems.all());
  }

  /** Starts two servers and a load on both. */
  static LoadRun onTwoServers(Stage stage, String... options) throws IOException {
    stage.server();
    stage.server();
    return stage.load(urls(stage), options);
  }

  static String[] steady(int seconds) {
    return words("-r 8 -u 10 -R 300 -d " + seconds + "s");
  }

  static String[] reconnecting(int seconds) {
    return with(RECONNECTING, steady(seconds));
  }

  static String[] words(String options) {
    return options.split(" ", -1);
  }

  static String[] with(List<String> more, String... options) {
    return Stream.concat(Stream.of(options), more.stream()).toArray(String[]::new);
  }

  static List<String> urls(Stage stage) {
    List<String> urls = new ArrayList<>();
    stage.servers().forEach(server -> urls.add(server.url()));
    return urls;
  }

  /** Returns one address for all servers. */
  static List<String> balanced(Stage stage) throws IOException {
    int[] ports = stage.servers().stream().mapToInt(ChatNode::port).toArray();
    return List.of(url(stage.network(TcpProxy.to(ports))));
  }

  static String url(TcpProxy network) {
    return "ws://127.0.0.1:" + network.port() + "/chat";
  }
}
