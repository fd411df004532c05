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
 * A fault under load, with its requirements.
 *
 * @param name name on the command line
 * @param servers number of servers it starts
 * @param happens description for readers, the same as in docs/lab/reliability.md
 * @param isQuick whether it is part of every check run
 * @param needs the broker it requires
 */
record Scenario(
    String name, int servers, String happens, boolean isQuick, Needs needs, Script script) {

  /** The brokers that a scenario can use. */
  enum Needs {
    /** Any single broker. */
    ONE,
    /** A RabbitMQ, which can be killed and has a memory alarm. */
    RABBITMQ,
    /** One or several RabbitMQ nodes. */
    ANY_RABBITMQ,
    /** Several RabbitMQ nodes. */
    CLUSTER,
    /** Any broker. */
    ANY
  }

  /** The script of a scenario. */
  interface Script {
    Played on(Stage stage) throws Exception;
  }

  /**
   * The outcome of a script.
   *
   * @param result the load client's result
   * @param away length of the fault
   * @param stays whether all members must keep their connections
   * @param note an interesting figure, or empty
   * @param problems violations in addition to the client's
   * @param bound maximum stall if members stay
   */
  record Played(
      LoadResult result,
      Duration away,
      boolean stays,
      String note,
      List<String> problems,
      Duration bound) {

    /** Creates an outcome whose stalls may not exceed the fault. */
    Played(LoadResult result, Duration away, boolean stays, String note, List<String> problems) {
      this(result, away, stays, note, problems, away);
    }

    /** Returns it with another note. */
    Played noting(String other) {
      return new Played(result, away, stays, other, problems, bound);
    }

    /** Returns it with another maximum stall. */
    Played within(Duration other) {
      return new Played(result, away, stays, note, problems, other);
    }

    /** Returns it with more problems. */
    Played with(Problems more) {
      Problems all = new Problems(problems);
      all.addAll(more.all());
      return new Played(result, away, stays, note, all.all(), bound);
    }
  }

  static Scenario of(String name, int servers, String happens, Script script) {
    return new Scenario(name, servers, happens, false, Needs.ONE, script);
  }

  /** Returns it as a part of every check run. */
  Scenario quick() {
    return new Scenario(name, servers, happens, true, needs, script);
  }

  /** Returns it for only RabbitMQ. */
  Scenario rabbitOnly() {
    return new Scenario(name, servers, happens, isQuick, Needs.RABBITMQ, script);
  }

  /** Returns it for several nodes. */
  Scenario clusterOnly() {
    return new Scenario(name, servers, happens, isQuick, Needs.CLUSTER, script);
  }

  /** Returns it for every broker; restrictions to RabbitMQ stay. */
  Scenario anywhere() {
    Needs wider = needs == Needs.RABBITMQ ? Needs.ANY_RABBITMQ : Needs.ANY;
    return new Scenario(name, servers, happens, isQuick, wider, script);
  }

  /** Returns whether it can run with this broker. */
  boolean isFor(FaultyBroker broker) {
    return switch (needs) {
      case ONE -> !(broker instanceof RabbitCluster);
      case RABBITMQ -> broker.isRabbit() && !(broker instanceof RabbitCluster);
      case ANY_RABBITMQ -> broker.isRabbit();
      case CLUSTER -> broker instanceof RabbitCluster;
      case ANY -> true;
    };
  }

  /** Returns its row in the documentation's table. */
  String row() {
    return "| `" + name + "` | " + servers + " | " + happens + " |";
  }

  /** Runs and judges it. */
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
      if (back < gone) { // the load may have ended too early
        throw new FaultOutlasted(gone + " connections lost, returned: " + back);
      }
      problems.unless(back == gone, gone + " connections lost, returned: " + back);
    }
    if (!problems.all().isEmpty()) {
      problems.add(result.details());
    }
    return Report.of(name, stage.broker().name(), played, problems.all());
  }
}
