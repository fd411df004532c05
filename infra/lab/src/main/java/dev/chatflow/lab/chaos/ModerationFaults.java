package dev.chatflow.lab.chaos;

import static dev.chatflow.lab.chaos.Loads.balanced;
import static dev.chatflow.lab.chaos.Loads.reconnecting;
import static dev.chatflow.lab.chaos.Loads.returned;
import static dev.chatflow.lab.chaos.Loads.with;

import dev.chatflow.identity.Issuer;
import dev.chatflow.lab.broker.Pause;
import dev.chatflow.lab.chaos.Scenario.Played;
import dev.chatflow.lab.node.ChatNode;
import dev.chatflow.lab.node.FaultOutlasted;
import dev.chatflow.lab.node.LoadRun;
import dev.chatflow.lab.node.Problems;
import dev.chatflow.lab.peer.MutedRoom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Faults while users are muted. */
final class ModerationFaults {

  static final List<Scenario> ALL =
      List.of(
          Scenario.of(
                  "users-muted",
                  2,
                  "a user who writes without pause is muted in each of 8 rooms, then kill -9 of"
                      + " one server after the other: no member hears them until the mute ends,"
                      + " and both servers show the same",
                  ModerationFaults::usersMuted)
              .quick());

  private static final String SECRET = "moderation-moderation-moderation";
  private static final int ROOMS = 8;
  private static final Duration SECOND = Duration.ofSeconds(1);

  private ModerationFaults() {}

  static Played usersMuted(Stage stage) throws Exception {
    String key = stage.file("token.key", SECRET).toString();
    Map<String, String> settings = Map.of("CHATFLOW_TOKEN_KEYS", key);
    ChatNode first = stage.server(settings);
    ChatNode second = stage.server(settings);
    LoadRun load = stage.load(balanced(stage), with(List.of("--token-key", key), reconnecting(40)));
    List<MutedRoom> rooms = new ArrayList<>();
    try {
      for (int i = 0; i < ROOMS; i++) {
        rooms.add(new MutedRoom("muted-" + i, Issuer.hs256(SECRET), first, second));
      }
      Duration away = killedWhileMuted(stage, load, rooms);
      Problems problems = judged(stage, load, rooms);
      return returned(load, away).with(problems);
    } finally {
      rooms.forEach(MutedRoom::close);
    }
  }

  /** Returns the time from the first kill until all are connected again. */
  private static Duration killedWhileMuted(Stage stage, LoadRun load, List<MutedRoom> rooms)
      throws Exception {
    awaitAll(stage, load, rooms, MutedRoom::isHeard);
    for (MutedRoom room : rooms) {
      room.mute(stage.servers().get(stage.random().nextInt(2)));
    }
    awaitAll(stage, load, rooms, MutedRoom::isMuted);
    long begun = System.nanoTime();
    for (ChatNode server : stage.servers()) {
      server.kill();
      Pause.of(stage.about(SECOND));
      server.startAgain();
      Pause.of(stage.about(SECOND.multipliedBy(2)));
      awaitAll(stage, load, rooms, MutedRoom::isWhole);
    }
    return Duration.ofNanos(System.nanoTime() - begun);
  }

  private static Problems judged(Stage stage, LoadRun load, List<MutedRoom> rooms)
      throws FaultOutlasted {
    Problems problems = new Problems();
    for (MutedRoom room : rooms) {
      room.unmute(stage.servers().get(stage.random().nextInt(2)));
    }
    awaitAll(stage, load, rooms, MutedRoom::isHeard);
    rooms.forEach(MutedRoom::silence);
    awaitAll(stage, load, rooms, MutedRoom::isAgreed);
    for (MutedRoom room : rooms) {
      long heard = room.heardWhileMuted();
      problems.unless(heard == 0, heard + " texts of a muted user were shown");
    }
    return problems;
  }

  private static void awaitAll(
      Stage stage, LoadRun load, List<MutedRoom> rooms, Predicate<MutedRoom> what)
      throws FaultOutlasted {
    stage.await(load, () -> rooms.stream().allMatch(what));
    load.mustRun();
  }
}
