package dev.chatflow.lab.chaos;

import dev.chatflow.lab.broker.FaultyBroker;
import dev.chatflow.lab.broker.RabbitCluster;
import dev.chatflow.lab.node.FaultOutlasted;
import dev.chatflow.lab.node.LoadResult;
import dev.chatflow.lab.node.Problems;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A fault under load, and what must hold all the same.
 *
 * @param name as the command line knows it
 * @param servers how many it starts
 * @param happens what happens, for a reader; docs/lab/reliability.md has the same words
 * @param isQuick whether it belongs to every check run
 * @param needs the broker it is about
 */
record Scenario(
    String name, int servers, String happens, boolean isQuick, Needs needs, Script script) {

  /** Which brokers a scenario can be played with. */
  enum Needs {
    /** Any single one. */
    ONE,
    /** A RabbitMQ: a process that can be killed and has a memory alarm. */
    RABBITMQ,
    /** The same, or several nodes. */
    ANY_RABBITMQ,
    /** Several nodes of RabbitMQ. */
    CLUSTER,
    /** Whatever there is. */
    ANY
  }

  /** The play. */
  interface Script {
    Played on(Stage stage) throws Exception;
  }

  /**
   * How it went.
   *
   * @param result the client's judgement
   * @param away how long the fault lasted
   * @param stays whether no member may have lost its connection
   * @param note one figure worth telling, or empty
   * @param problems what should not be, beyond what the client judges
   * @param bound on the longest stall, where members stay
   */
  record Played(
      LoadResult result,
      Duration away,
      boolean stays,
      String note,
      List<String> problems,
      Duration bound) {

    /** No stall may be longer than the fault. */
    Played(LoadResult result, Duration away, boolean stays, String note, List<String> problems) {
      this(result, away, stays, note, problems, away);
    }

    /** The same, with another figure worth telling. */
    Played noting(String other) {
      return new Played(result, away, stays, other, problems, bound);
    }

    /** The same, with another bound on the longest stall. */
    Played within(Duration other) {
      return new Played(result, away, stays, note, problems, other);
    }

    /** The same, with further problems. */
    Played with(Problems more) {
      Problems all = new Problems(problems);
      all.addAll(more.all());
      return new Played(result, away, stays, note, all.all(), bound);
    }
  }

  static Scenario of(String name, int servers, String happens, Script script) {
    return new Scenario(name, servers, happens, false, Needs.ONE, script);
  }

  /** The same, as a part of every check run. */
  Scenario quick() {
    return new Scenario(name, servers, happens, true, needs, script);
  }

  /** The same, for a RabbitMQ alone. */
  Scenario rabbitOnly() {
    return new Scenario(name, servers, happens, isQuick, Needs.RABBITMQ, script);
  }

  /** The same, for several nodes. */
  Scenario clusterOnly() {
    return new Scenario(name, servers, happens, isQuick, Needs.CLUSTER, script);
  }

  /** The same, for every broker; what only a RabbitMQ can bear stays for that. */
  Scenario anywhere() {
    Needs wider = needs == Needs.RABBITMQ ? Needs.ANY_RABBITMQ : Needs.ANY;
    return new Scenario(name, servers, happens, isQuick, wider, script);
  }

  /** Whether it can be played with this broker. */
  boolean isFor(FaultyBroker broker) {
    return switch (needs) {
      case ONE -> !(broker instanceof RabbitCluster);
      case RABBITMQ -> broker.isRabbit() && !(broker instanceof RabbitCluster);
      case ANY_RABBITMQ -> broker.isRabbit();
      case CLUSTER -> broker instanceof RabbitCluster;
      case ANY -> true;
    };
  }

  /** Its row in the documentation's table. */
  String row() {
    return "| `" + name + "` | " + servers + " | " + happens + " |";
  }

  /** Plays it and judges. */
  Report play(Stage stage) throws Exception {
    Played played = script.on(stage);
    LoadResult result = played.result();
    Problems problems = new Problems(played.problems());
    for (Map.Entry<String, Long> found : result.found().entrySet()) {
      problems.add(found.getKey() + " " + found.getValue());
    }
    if (played.stays()) {
      long lost = result.count("connectionsLost");
      problems.unless(lost == 0, lost + " members lost their connection");
      Duration stall = result.longestStall();
      Duration bound = played.bound().plus(stage.grace());
      problems.unless(stall.compareTo(bound) <= 0, "stall of " + stall + ", bound " + bound);
    } else {
      long gone =
          result.count("connectionsLost")
              - result.count("lostAgain")
              + result.count("dropped")
              + result.count("renewed");
      long back = result.count("reconnections");
      if (back < gone) { // as far as the load had time for it
        throw new FaultOutlasted(gone + " connections lost, came back: " + back);
      }
      problems.unless(back == gone, gone + " connections lost, came back: " + back);
    }
    if (!problems.all().isEmpty()) {
      problems.add(result.details());
    }
    return Report.of(name, stage.broker().name(), played, problems.all());
  }
}
