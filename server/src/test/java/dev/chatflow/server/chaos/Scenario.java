package dev.chatflow.server.chaos;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A fault under load, and what must hold all the same.
 *
 * @param name as the command line knows it
 * @param quick whether it belongs to every check run
 * @param needsAlarm whether the broker must know a memory alarm, which tells a node of its own
 */
record Scenario(String name, boolean quick, boolean needsAlarm, Script script) {

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
   */
  record Played(
      LoadResult result, Duration away, boolean stays, String note, List<String> problems) {}

  /**
   * Plays it and judges.
   *
   * @param grace how much longer than the fault a message may wait
   */
  Report play(Stage stage, Duration grace) throws Exception {
    Played played = script.on(stage);
    LoadResult result = played.result();
    Problems problems = new Problems(played.problems());
    for (Map.Entry<String, Long> found : result.found().entrySet()) {
      problems.add(found.getKey() + " " + found.getValue());
    }
    Duration stall = result.longestStall();
    if (played.stays()) {
      long lost = result.count("connectionsLost");
      problems.unless(lost == 0, lost + " members lost their connection");
      Duration bound = played.away().plus(grace);
      problems.unless(stall.compareTo(bound) <= 0, "stall of " + stall + ", bound " + bound);
    } else {
      long gone =
          result.count("connectionsLost") - result.count("lostAgain") + result.count("dropped");
      problems.unless(
          result.count("reconnections") == gone,
          gone + " connections lost, came back: " + result.count("reconnections"));
    }
    if (!problems.all().isEmpty()) {
      problems.add(result.details());
    }
    return new Report(
        name,
        stage.broker().name(),
        result.count("accepted"),
        result.defect("lost"),
        result.defect("duplicate") + result.defect("retry-duplicate"),
        result.defect("reordered"),
        played.away(),
        stall,
        result.slowestRecovery(),
        played.note(),
        problems.all());
  }
}
