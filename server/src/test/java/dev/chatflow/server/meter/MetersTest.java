package dev.chatflow.server.meter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.delivery.RoomMeter.Unshown;
import dev.chatflow.log.ReaderMeter.Passed;
import dev.chatflow.server.edge.EdgeMeter.Loss;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MetersTest {

  private final Meters meters = new Meters("server-1");

  @AfterEach
  void close() {
    meters.close();
  }

  private String scrape() {
    return meters.scrape(null).body();
  }

  @Test
  void eachStageOfAMessagesWayHasItsTime() {
    Duration one = Duration.ofMillis(1);
    meters.acceptTook(one);
    meters.waited(one);
    meters.confirmed(3, one, 0);
    meters.readBack(one);
    meters.append(one);
    meters.writeTook(one);
    for (String stage : new String[] {"accept", "lane", "confirm", "broker", "append", "write"}) {
      assertThat(scrape())
          .contains(
              "chatflow_stage_seconds_count{server_id=\"server-1\",stage=\"" + stage + "\"} 1");
    }
  }

  @Test
  void flightWithoutMessagesIsCountedOnlyWhereItWasSentAgain() {
    meters.confirmed(0, Duration.ZERO, 2);
    assertThat(meters.messagesPublished()).isZero();
    assertThat(scrape())
        .contains("chatflow_flight_retries_total{server_id=\"server-1\"} 2")
        .contains("chatflow_confirm_seconds_count{server_id=\"server-1\"} 0");
  }

  @Test
  void closeCodesThatAreNotKnownMakeOneSeriesTogether() {
    meters.closed(1001);
    meters.closed(4999);
    meters.closed(4998);
    assertThat(scrape())
        .contains("chatflow_connections_closed_total{code=\"1001\",server_id=\"server-1\"} 1")
        .contains("chatflow_connections_closed_total{code=\"other\",server_id=\"server-1\"} 2");
  }

  @Test
  void refusalsAreCountedByCode() {
    meters.refused("RATE_LIMITED");
    meters.refused("RATE_LIMITED");
    meters.refused("BAD_ROOM");
    assertThat(meters.refusedByCode()).isEqualTo(Map.of("RATE_LIMITED", 2L, "BAD_ROOM", 1L));
  }

  @Test
  void statisticsShowTheReportedValues() {
    meters.accepted();
    meters.consumed(5);
    meters.gap();
    meters.writeTimedOut();
    for (Passed why : Passed.values()) {
      meters.passed(why);
    }
    for (Unshown why : Unshown.values()) {
      meters.unshown(why);
    }
    assertThat(meters.messagesIn()).isEqualTo(1);
    assertThat(meters.messagesConsumed()).isEqualTo(5);
    assertThat(meters.gaps()).isEqualTo(1);
    assertThat(meters.writesTimedOut()).isEqualTo(1);
    assertThat(meters.duplicatesDropped())
        .as("a muted user's message is no duplicate")
        .isEqualTo(Passed.values().length + Unshown.values().length - 1);
  }

  @Test
  void lostPeersAreCountedByReason() {
    for (Loss how : Loss.values()) {
      meters.peerLost(how);
    }
    assertThat(scrape().lines().filter(line -> line.startsWith("chatflow_peers_lost_total")))
        .hasSize(Loss.values().length)
        .allMatch(line -> line.endsWith(" 1.0") || line.endsWith(" 1"));
  }
}
