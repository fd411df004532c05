package dev.chatflow.server.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.consumer.room.ShardLink.OwnQueue;
import dev.chatflow.server.publish.channel.CircuitState;
import dev.chatflow.server.publish.channel.Confirm;
import dev.chatflow.server.publish.channel.Flight;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a lane binds its shard to the consumer's queue, unbinds it, and sends beacons. */
class PublishLaneBindingTest extends LaneScene {

  private static List<Object> marks(List<Flight> flights) {
    return flights.stream()
        .map(flight -> flight.properties().getHeaders().getOrDefault("x-bind", 0L))
        .toList();
  }

  @Test
  void bindsBeforeTheFirstFlightAndOnlyOnce() {
    start(QUIET);
    offer("a");
    eventually(() -> assertThat(takenLines()).containsExactly("a"));
    offer("b");
    eventually(() -> assertThat(takenLines()).containsExactly("a", "b"));
    assertThat(uplink.events).containsExactly("bind own", "flight 1", "flight 2");
    assertThat(marks(uplink.taken)).containsExactly(1L, 0L);
    assertThat(link.generation()).isEqualTo(1);
  }

  @Test
  void waitsForTheConsumersQueue() {
    link.queueClosed();
    start(QUIET);
    offer("a");
    awaitLaneIn("awaitQueue");
    assertThat(uplink.events).isEmpty();
    link.queueOpen(new OwnQueue("own", 2, 1));
    eventually(() -> assertThat(takenLines()).containsExactly("a"));
  }

  @Test
  void aReturnMakesTheConsumerDeclareAnewThenTheSameBytesGoAgain() {
    uplink.next(_ -> new Confirm.Returned("NO_ROUTE"));
    start(QUIET);
    offer("a");
    eventually(() -> assertThat(link.takeAttention()).isTrue());
    assertThat(uplink.attempts).hasSize(1);
    link.queueOpen(new OwnQueue("own", 2, 2)); // newly created
    eventually(() -> assertThat(uplink.taken).hasSize(2));
    assertThat(uplink.attempts.get(1)).isSameAs(uplink.attempts.get(0));
    assertThat(uplink.events)
        .containsExactly("bind own", "flight 1", "bind own", "flight 1", "beacon 1");
    assertThat(marks(uplink.taken)).containsExactly(1L, 2L);
  }

  @Test
  void aFailedBindIsTriedAgainAndAMissingQueueIsDeclaredAnew() {
    uplink.nextBind(new Confirm.Lost("channel closed"));
    uplink.nextBind(new Confirm.Returned("no queue"));
    start(QUIET);
    offer("a");
    eventually(() -> assertThat(link.takeAttention()).isTrue());
    link.queueOpen(new OwnQueue("own", 2, 1));
    eventually(() -> assertThat(takenLines()).containsExactly("a"));
    assertThat(uplink.events).containsExactly("bind own", "bind own", "bind own", "flight 1");
    assertThat(marks(uplink.taken)).containsExactly(1L);
  }

  @Test
  void aReopenedQueueIsBoundAgainAndABeaconCarriesTheSameGeneration() {
    start(QUIET);
    offer("a");
    eventually(() -> assertThat(takenLines()).containsExactly("a"));
    link.queueOpen(new OwnQueue("own", 2, 1)); // found, not created
    eventually(() -> assertThat(uplink.taken).hasSize(2));
    assertThat(uplink.events).containsExactly("bind own", "flight 1", "bind own", "beacon 1");
    assertThat(marks(uplink.taken)).containsExactly(1L, 1L);
  }

  @Test
  void anIdleLaneSendsBeacons() {
    start(new LaneTiming(Duration.ZERO, Duration.ofMillis(5), Duration.ofMillis(5), LONG));
    offer("a");
    eventually(() -> assertThat(uplink.taken).hasSizeGreaterThan(3));
    assertThat(uplink.events).startsWith("bind own", "flight 1", "beacon 1", "beacon 1");
    assertThat(uplink.taken.stream().skip(1)).allMatch(Flight::isBeacon);
  }

  @Test
  void unbindsAfterTheLingerWithoutMembersAndWithAllFlightsBack() {
    Duration every = Duration.ofMillis(5);
    start(new LaneTiming(Duration.ZERO, every, every, Duration.ofMillis(20)));
    link.members(1);
    offer("a");
    eventually(() -> assertThat(takenLines()).containsExactly("a"));
    awaitTenBeacons(); // which takes longer than the linger
    assertThat(lane.isBound()).isTrue();
    link.members(0);
    awaitTenBeacons();
    assertThat(lane.isBound()).isTrue();
    link.returned(1);
    eventually(() -> assertThat(uplink.events).endsWith("unbind own"));
    assertThat(link.generation()).isZero();
    uplink.taken.clear();
    offer("b");
    eventually(() -> assertThat(takenLines()).containsExactly("b"));
    assertThat(marks(uplink.taken)).first().isEqualTo(2L);
    assertThat(link.generation()).isEqualTo(2);
  }

  private void awaitTenBeacons() {
    int before = uplink.taken.size();
    eventually(() -> assertThat(uplink.taken).hasSizeGreaterThanOrEqualTo(before + 10));
  }

  @Test
  void aProbeBindsAnIdleLaneAndItsConfirmClosesTheCircuit() {
    start(QUIET);
    lane.probe(circuit.connection());
    eventually(() -> assertThat(circuit.state()).isEqualTo(CircuitState.CLOSED));
    assertThat(uplink.events).containsExactly("bind own", "beacon 0");
  }
}
