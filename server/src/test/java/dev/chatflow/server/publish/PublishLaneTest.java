package dev.chatflow.server.publish;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatflow.broker.Lane;
import dev.chatflow.log.ClusterTime;
import dev.chatflow.log.Digest;
import dev.chatflow.log.PresenceHeaders;
import dev.chatflow.message.MessageType;
import dev.chatflow.room.RoomId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** When a lane publishes and what, on a broker that confirms at once. */
class PublishLaneTest {

  private static final Lane NAME = new Lane("server-1", 1, 0);
  private static final Lane DEAD = new Lane("server-2", 1, 0);
  private static final Duration PACE = Duration.ofNanos(2_500_000);

  private final List<LaneEntry> sent = new ArrayList<>();
  private final PublishLane lane =
      new PublishLane(
          NAME,
          new ClusterTime(() -> 0, 1_000),
          new LaneBounds(Duration.ofSeconds(4), Duration.ofSeconds(30), 1 << 20),
          new Uplink() {
            @Override
            public boolean isOpen() {
              return true;
            }

            @Override
            public boolean isBlocked() {
              return false;
            }

            @Override
            public Attempt send(LaneEntry entry, Consumer<Confirm> outcome) {
              if (fails) {
                fails = false;
                throw new IllegalStateException("a defect");
              }
              sent.add(entry);
              outcome.accept(new Confirm.Acked());
              return () -> {};
            }
          },
          new NoLaneMeter(),
          () -> {});

  private boolean fails;
  private int read;
  private int first;
  private long now = Duration.ofMinutes(1).toNanos();

  private void offer(int lines) {
    for (int i = 0; i < lines; i++) {
      byte[] line = "line".getBytes(UTF_8);
      RoomId room = new RoomId("5");
      var _ =
          lane.offer(
              read -> new WaitingLine(room, line, "m-1", MessageType.TEXT, read, now, null),
              () -> {});
    }
  }

  /** Runs until nothing is due at this time; sent entries are read back at once. */
  private void run() {
    while (lane.step(now) == 0) {
      readBack();
    }
    readBack();
  }

  private void readBack() {
    for (; read < sent.size(); read++) {
      lane.read(sent.get(read).number(), now);
    }
  }

  /** Its thread ended, and everything accepted by the lane stayed in it. */
  @Test
  void anEntryIsPublishedAgainAfterAnUnexpectedFailure() {
    begun();
    fails = true;
    offer(2);
    assertThatThrownBy(this::run).hasMessage("a defect");
    assertThat(lane.waits()).isTrue();
    lane.restart("a defect", now);
    run();
    assertThat(since()).singleElement().extracting(LaneEntry::lines).isEqualTo(2);
    assertThat(lane.waits()).isFalse();
  }

  /** Prepares a lane in use, with its first entry read back, idle for a while. */
  private void begun() {
    lane.attached();
    run();
    now += Duration.ofSeconds(1).toNanos();
    first = sent.size();
  }

  private List<LaneEntry> since() {
    return sent.subList(first, sent.size());
  }

  @Test
  void laneAtRestSavesUpFlightsAndABusyOneKeepsItsPace() {
    begun();
    for (int i = 0; i < 30; i++) {
      offer(1);
      run();
    }
    assertThat(since()).as("one, and eight that were saved up").hasSize(9);
    now += PACE.toNanos();
    run();
    assertThat(since()).as("all that waited").hasSize(10);
    assertThat(sent.getLast().lines()).isEqualTo(21);
    now += 3 * PACE.toNanos();
    for (int i = 0; i < 30; i++) {
      offer(1);
      run();
    }
    assertThat(since()).as("three paces later, three more").hasSize(13);
    lane.activeLanes(4);
    now += 4 * PACE.toNanos();
    for (int i = 0; i < 30; i++) {
      offer(1);
      run();
    }
    assertThat(since()).as("four lanes share the shard's entries").hasSize(14);
  }

  @Test
  void aLaneOnABusyMachineSendsFewerAndFullerEntries() {
    begun();
    lane.machineLoad(1);
    for (int i = 0; i < 9; i++) {
      offer(1);
      run();
    }
    assertThat(since()).as("one, and eight that were saved up").hasSize(9);
    for (int i = 0; i < 4; i++) {
      offer(1);
      run();
      now += PACE.toNanos();
    }
    assertThat(since()).as("nothing for 10 ms").hasSize(9);
    run();
    assertThat(sent.getLast().lines()).isEqualTo(4);
  }

  @Test
  void firstSnapshotRequestIsBeforeAllLines() {
    begun();
    lane.requestSnapshots(1, true);
    offer(1);
    run();
    assertThat(since()).hasSize(2);
    assertThat(since().getFirst().lines()).isZero();
    assertThat(since().getFirst().presenceHeaders())
        .isEqualTo(new PresenceHeaders(1, null, List.of(NAME)));
    assertThat(since().getLast().lines()).isEqualTo(1);
    assertThat(since().getLast().presenceHeaders()).isEqualTo(PresenceHeaders.NONE);
  }

  @Test
  void pagesTakeTurnsWithFlightsAndSignalsRideOnEither() {
    begun();
    lane.sendSnapshot(List.of("one".getBytes(UTF_8), "two".getBytes(UTF_8)));
    lane.announceMembers(new Digest(7, 1, 2));
    offer(1);
    run();
    assertThat(since().stream().map(LaneEntry::isPage)).containsExactly(true, false, true);
    assertThat(since().getFirst().presenceHeaders().members()).isEqualTo(new Digest(7, 1, 2));
  }

  @Test
  void lostLanesAreNamedAtOnceAndOnce() {
    begun();
    lane.announceLost(List.of(DEAD));
    run();
    assertThat(since()).hasSize(1);
    assertThat(since().getFirst().presenceHeaders().lostLanes()).containsExactly(DEAD);
  }

  @Test
  void farewellIsPublishedOnceAndIsOverWhenItIsRead() {
    assertThat(lane.farewell()).as("nothing to say where the shard is not in use").isTrue();
    begun();
    assertThat(lane.farewell()).isFalse();
    assertThat(lane.step(now)).isZero();
    assertThat(lane.farewell()).as("it is not back").isFalse();
    run();
    assertThat(lane.farewell()).isTrue();
    assertThat(since()).hasSize(1);
    assertThat(since().getFirst().presenceHeaders().lostLanes()).containsExactly(NAME);
  }
}
