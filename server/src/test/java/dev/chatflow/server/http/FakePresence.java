package dev.chatflow.server.http;

import dev.chatflow.broker.Lane;
import dev.chatflow.delivery.PresenceAnswer;
import dev.chatflow.delivery.PresentUser;
import dev.chatflow.presence.Person;
import dev.chatflow.presence.ShardPresence.RoomSize;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.UserDevice;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One user in room 5, and a room that is only partly known. */
final class FakePresence implements PresenceHandler.Source {

  private static final PresentUser USER =
      new PresentUser(
          List.of(
              new Person(
                  new UserDevice("7", ""),
                  "user7",
                  new Lane("one", 1, 0),
                  "c",
                  1,
                  Instant.parse("2026-11-20T18:46:00Z").toEpochMilli(),
                  "{\"away\":true}")));

  @Override
  public CompletableFuture<PresenceAnswer<PresenceAnswer.Room>> presence(
      RoomId room, int most, @Nullable String after) {
    return CompletableFuture.completedFuture(
        new PresenceAnswer.Answered<>(
            switch (room.value()) {
              case "5" -> new PresenceAnswer.Room(1, true, List.of(USER), null);
              case "part" -> new PresenceAnswer.Room(2, false, List.of(USER), "7");
              default -> new PresenceAnswer.Room(0, true, List.of(), null);
            }));
  }

  @Override
  public CompletableFuture<PresenceAnswer<PresenceAnswer.Removal>> remove(
      RoomId room, String userId) {
    return CompletableFuture.completedFuture(
        new PresenceAnswer.Answered<>(
            new PresenceAnswer.Removal(userId.equals("7") ? 1 : 0, true)));
  }

  @Override
  public CompletableFuture<PresenceAnswer<PresenceAnswer.Rooms>> rooms(
      int most, @Nullable String after) {
    return CompletableFuture.completedFuture(
        new PresenceAnswer.Answered<>(
            new PresenceAnswer.Rooms(true, List.of(new RoomSize("5", 1)), null)));
  }
}
