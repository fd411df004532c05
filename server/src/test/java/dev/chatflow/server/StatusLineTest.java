package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.server.StatusLine.Snapshot;
import dev.chatflow.server.publish.Vitals.Broker;
import dev.chatflow.server.publish.Vitals.Health;
import dev.chatflow.server.publish.Vitals.Lane;
import dev.chatflow.server.publish.Vitals.Stats;
import dev.chatflow.support.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class StatusLineTest {

  private static final Broker CONNECTED = new Broker("OPEN", "OPEN", "CLOSED");
  private static final Snapshot BUSY = snapshot(Status.UP, CONNECTED, 1_000, 20, 5_000, 250_000, 0);

  private static Snapshot snapshot(
      Status status, Broker broker, int connections, int rooms, long in, long out, long wrong) {
    Map<String, Long> refused = Map.of("VALIDATION_FAILED", wrong, "NOT_JOINED", wrong);
    return new Snapshot(
        new Health(
            status,
            "server-1",
            "1.0",
            "abc",
            "direct",
            "none",
            "number",
            500,
            7,
            connections,
            rooms,
            broker,
            null),
        new Stats(
            "server-1",
            7,
            connections,
            (int) wrong,
            rooms,
            connections,
            in,
            in,
            in,
            out,
            refused,
            wrong,
            wrong,
            wrong,
            List.of(new Lane(0, 3, in), new Lane(1, 4, out))),
        1_500);
  }

  @Test
  void busyServerLogsItsStateAndItsTraffic() {
    Snapshot later = snapshot(Status.UP, CONNECTED, 1_000, 20, 15_000, 750_000, 0);
    assertThat(StatusLine.between(BUSY, later, 10))
        .isEqualTo(
            "UP: 1,000 connections, 20 rooms, 1,000 members; lanes 7, logs 2 KiB, circuit CLOSED;"
                + " in 1,000/s, out 50,000/s");
  }

  @Test
  void fewMessagesDoNotRoundToNothing() {
    Snapshot later = snapshot(Status.UP, CONNECTED, 1_000, 20, 5_003, 250_150, 0);
    assertThat(StatusLine.between(BUSY, later, 10)).endsWith("; in 0.3/s, out 15/s");
  }

  @Test
  void nothingHappenedAndNothingChangedIsNoLine() {
    Snapshot later = snapshot(Status.UP, CONNECTED, 1_000, 20, 5_000, 250_000, 0);
    assertThat(StatusLine.between(BUSY, later, 10)).isNull();
  }

  @Test
  void troubleIsNamed() {
    Broker away = new Broker("RECOVERING", "OPEN", "OPEN");
    assertThat(
            StatusLine.between(
                BUSY, snapshot(Status.DEGRADED, away, 1_000, 20, 5_000, 250_000, 2), 10))
        .isEqualTo(
            "DEGRADED: 1,000 connections, 20 rooms, 1,000 members, 2 paused; lanes 7, logs 2 KiB,"
                + " circuit OPEN, publisher RECOVERING, consumer OPEN; refused 4;"
                + " duplicates dropped 2; slow closed 2; gaps 2");
  }

  @Test
  void changeOfConnectionsAloneIsLogged() {
    Snapshot later = snapshot(Status.UP, CONNECTED, 999, 20, 5_000, 250_000, 0);
    assertThat(StatusLine.between(BUSY, later, 10)).startsWith("UP: 999 connections");
  }

  @Test
  void logComparesWithTheLastTimeAndIsSilentWhenIdle() {
    List<String> lines = new ArrayList<>();
    AtomicReference<Snapshot> now = new AtomicReference<>(BUSY);
    AtomicLong nanos = new AtomicLong();
    StatusLog status = new StatusLog(now::get, nanos::get, lines::add);
    now.set(snapshot(Status.UP, CONNECTED, 1_000, 20, 5_200, 251_000, 0));
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
    status.run();
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
    status.run();
    assertThat(lines).singleElement().asString().endsWith("in 100/s, out 500/s");
  }
}
