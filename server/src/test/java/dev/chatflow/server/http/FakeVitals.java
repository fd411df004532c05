package dev.chatflow.server.http;

import dev.chatflow.server.publish.Vitals;
import dev.chatflow.support.Answer;
import dev.chatflow.support.Status;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A server with one room, whose state a test sets. */
public final class FakeVitals implements Vitals {

  public Status status = Status.UP;
  public @Nullable String unready;

  @Override
  public Health health() {
    return new Health(
        status,
        "server-1",
        "1.0",
        "abc",
        "direct",
        "none",
        "number",
        500,
        5,
        1,
        1,
        new Broker("OPEN", "OPEN", "CLOSED"),
        null);
  }

  @Override
  public @Nullable String unready() {
    return unready;
  }

  @Override
  public Stats stats() {
    return new Stats("server-1", 5, 1, 0, 1, 1, 2, 3, 4, 5, Map.of(), 0, 0, 0, List.of());
  }

  @Override
  public Overview overview() {
    return new Overview(
        health(),
        unready,
        stats(),
        new Marks(20_000, 0, 0, 0, 0, 10, 1_000),
        Map.of("token", 1L),
        Map.of("log full", 0L),
        List.of(1.0, 10.0),
        List.of(new Hop("broker", 3, 0.006, List.of(1L, 3L))),
        List.of(new RoomHere("5", 1)),
        List.of());
  }

  @Override
  public Answer metrics(@Nullable String accept) {
    return new Answer(200, String.valueOf(accept), "chatflow_info 1");
  }
}
