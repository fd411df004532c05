package dev.chatflow.lab.chaos;

import static dev.chatflow.lab.chaos.Loads.stayed;
import static dev.chatflow.lab.chaos.Loads.steady;
import static dev.chatflow.lab.chaos.Loads.urls;

import dev.chatflow.lab.broker.Pause;
import dev.chatflow.lab.chaos.Scenario.Played;
import dev.chatflow.lab.node.ChatNode;
import dev.chatflow.lab.node.FakeClock;
import dev.chatflow.lab.node.LoadRun;
import dev.chatflow.lab.node.Problems;
import dev.chatflow.server.ChatClient;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Wrong or jumping wall clocks, on which nothing may depend. */
final class ClockFaults {

  static final List<Scenario> ALL =
      List.of(
          Scenario.of(
                  "clocks-apart",
                  2,
                  "the wall clocks of two servers differ by 60 s (libfaketime): the one behind"
                      + " warns",
                  ClockFaults::clocksApart)
              .anywhere(),
          Scenario.of(
                  "clock-jumps",
                  2,
                  "the clock of one server jumps under load: 5 minutes ahead, then 10 back,"
                      + " then right",
                  ClockFaults::clockJumps)
              .anywhere(),
          Scenario.of(
                  "clock-day-off",
                  2,
                  "the clock of one server is a day ahead: the other warns",
                  ClockFaults::clockDayOff)
              .anywhere());

  private static final Duration AWHILE = Duration.ofSeconds(4);
  private static final int MINUTE = 60;
  private static final int DAY = 24 * 60 * MINUTE;

  /** Tolerance in s: reading the clock may wait for a core, and the clock for its file. */
  private static final int TOLERANCE = 20;

  private static final int EMPTY_ROOM = 99;
  private static final int USER = 90_001;

  private ClockFaults() {}

  static Played clocksApart(Stage stage) throws Exception {
    return off(stage, MINUTE);
  }

  static Played clockDayOff(Stage stage) throws Exception {
    return off(stage, DAY);
  }

  /** Runs with one server's clock wrong from its start. */
  private static Played off(Stage stage, int seconds) throws Exception {
    FakeClock clock = stage.clock();
    clock.setOff(seconds);
    ChatNode wrong = stage.server(stage.broker().uri(), clock.environment());
    ChatNode right = stage.server();
    LoadRun load = stage.load(urls(stage), steady(15));
    Pause.of(AWHILE);
    Problems problems = new Problems(shown(wrong, seconds));
    problems.unless(right.output().contains(" s ahead of this one"), "no warning about the clock");
    return stayed(load, Duration.ZERO).with(problems);
  }

  static Played clockJumps(Stage stage) throws Exception {
    FakeClock clock = stage.clock();
    ChatNode wrong = stage.server(stage.broker().uri(), clock.environment());
    stage.server();
    LoadRun load = stage.load(urls(stage), steady(30));
    Problems problems = new Problems();
    for (int seconds : List.of(5 * MINUTE, -5 * MINUTE, 0)) {
      Pause.of(AWHILE);
      clock.setOff(seconds);
      Pause.of(AWHILE);
      problems.addAll(shown(wrong, seconds));
    }
    return stayed(load, Duration.ZERO).with(problems);
  }

  /** Returns errors of the clock in a server's message; empty if it has this offset. */
  private static List<String> shown(ChatNode server, int seconds) {
    try (ChatClient witness =
        ChatClient.connect(URI.create(server.url() + "/" + EMPTY_ROOM), USER)) {
      witness.send("JOIN", "");
      String timestamp = witness.awaitType("JOIN", USER).get("serverTimestamp").getAsString();
      long off = Duration.between(Instant.now(), Instant.parse(timestamp)).toSeconds();
      return Math.abs(off - seconds) <= TOLERANCE
          ? List.of()
          : List.of("the clock shows " + off + " s in place of " + seconds);
    }
  }
}
