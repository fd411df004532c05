package dev.chatflow.standalone.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.room.Shard;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordsTest {

  private static final Range ALL = new Range(0, Long.MIN_VALUE, Long.MAX_VALUE, 1_000);
  private static final long ONE =
      new Entry(
              Spoken.text("1", 1, "x000").payload().bytes(),
              1,
              0,
              0,
              new RoomRecords("1"),
              new UserRecords())
          .bytes();

  private static Records records(long bytes, long roomBytes, int senders) {
    return new Records(
        new Records.Bounds(bytes, roomBytes, senders),
        java.time.InstantSource.fixed(java.time.Instant.ofEpochMilli(Spoken.NOW)));
  }

  private static List<String> texts(List<Kept> kept) {
    return kept.stream()
        .map(Kept::json)
        .map(json -> json.replaceFirst(".*\"message\":\"", "").replaceFirst("\".*", ""))
        .toList();
  }

  @Test
  void recordsAreReadBackInTheOrderInWhichTheyCame() {
    Records records = records(1 << 20, 1 << 20, 10);
    records.recorded(Spoken.text("1", 1, "a"));
    records.recorded(Spoken.text("2", 1, "b"));
    records.recorded(Spoken.text("1", 2, "c"));
    assertThat(texts(records.ofRoom("1", ALL))).containsExactly("a", "c");
    assertThat(texts(records.ofUser("user1", ALL))).containsExactly("a", "b");
    assertThat(records.ofRoom("3", ALL)).isEmpty();
    assertThat(records.ofUser("user3", ALL)).isEmpty();
  }

  @Test
  void aRecordIsTheFrameThatMembersWereShown() {
    Records records = records(1 << 20, 1 << 20, 10);
    records.recorded(Spoken.text("1", 1, "a"));
    assertThat(records.ofRoom("1", ALL).getFirst().json())
        .startsWith("{\"messageType\":\"TEXT\",\"roomId\":\"1\"")
        .endsWith("\"status\":200}")
        .doesNotContain("session", "clientIp");
  }

  @Test
  void everySenderOfEveryRoomIsCounted() {
    Records records = records(1 << 20, 1 << 20, 10);
    records.recorded(Spoken.join("1", 1));
    records.recorded(Spoken.text("1", 1, "a"));
    records.recorded(Spoken.text("1", 1, "b"));
    records.recorded(Spoken.leave("1", 1, false));
    records.recorded(Spoken.leave("1", 2, true));
    assertThat(records.senders())
        .containsExactlyInAnyOrder(
            new SenderView("1", "1", "user1", 1, 2, 1, 0, Spoken.NOW),
            new SenderView("1", "2", "user2", 0, 0, 0, 1, Spoken.NOW));
    assertThat(records.totals().recorded()).isEqualTo(5);
  }

  @Test
  void beyondTheBytesOfARoomItsOldestGo() {
    Records records = records(100 * ONE, 3 * ONE, 10);
    records.recorded(Spoken.text("2", 1, "x000"));
    for (int i = 1; i <= 5; i++) {
      records.recorded(Spoken.text("1", 1, "x00" + i));
    }
    assertThat(texts(records.ofRoom("1", ALL))).containsExactly("x003", "x004", "x005");
    assertThat(texts(records.ofUser("user1", ALL))).containsExactly("x000", "x003", "x004", "x005");
    assertThat(records.rooms())
        .contains(new RoomView("1", 5, 3, records.rooms().getFirst().bytes(), 1));
    assertThat(records.totals().dropped()).isEqualTo(2);
  }

  @Test
  void beyondTheBytesInAllTheOldestGoWhateverTheirRoom() {
    Records records = records(4 * ONE, 4 * ONE, 10);
    for (int i = 1; i <= 6; i++) {
      records.recorded(Spoken.text(Integer.toString(i % 2), i % 3 + 1, "x00" + i));
    }
    assertThat(texts(records.ofRoom("1", ALL))).containsExactly("x003", "x005");
    assertThat(texts(records.ofRoom("0", ALL))).containsExactly("x004", "x006");
    assertThat(texts(records.ofUser("user2", ALL))).containsExactly("x004");
    assertThat(records.totals().kept()).isEqualTo(4);
    assertThat(records.totals().bytes()).isLessThanOrEqualTo(4 * ONE);
  }

  @Test
  void aMessageThatIsTooBigToKeepIsStillCounted() {
    Records records = records(ONE / 2, ONE / 2, 10);
    records.recorded(Spoken.text("1", 1, "a"));
    records.recorded(Spoken.text("1", 1, "b"));
    assertThat(records.ofRoom("1", ALL)).isEmpty();
    assertThat(records.ofUser("user1", ALL)).isEmpty();
    assertThat(records.totals()).isEqualTo(new Records.Totals(2, 0, 0, 0, 2));
    assertThat(records.senders().getFirst().texts()).isEqualTo(2);
  }

  @Test
  void sendersBeyondTheBoundAreCountedAsSuch() {
    Records records = records(1 << 20, 1 << 20, 2);
    records.recorded(Spoken.text("1", 1, "a"));
    records.recorded(Spoken.text("2", 1, "b"));
    records.recorded(Spoken.text("3", 1, "c"));
    records.recorded(Spoken.text("1", 2, "d"));
    records.recorded(Spoken.text("1", 1, "e"));
    assertThat(records.totals().recorded()).isEqualTo(5);
    assertThat(records.totals().uncounted()).isEqualTo(2);
    assertThat(records.rooms()).hasSize(2);
    assertThat(texts(records.ofRoom("1", ALL))).containsExactly("a", "e");
  }

  @Test
  void rangesSelectByPositionTimeAndNumber() {
    Records records = records(1 << 20, 1 << 20, 10);
    for (int i = 1; i <= 5; i++) {
      records.recorded(Spoken.text("1", 1, "t" + i, Spoken.NOW + i));
    }
    long min = Long.MIN_VALUE;
    long max = Long.MAX_VALUE;
    assertThat(texts(records.ofRoom("1", new Range(0, min, max, 2)))).containsExactly("t4", "t5");
    assertThat(texts(records.ofRoom("1", new Range(2, min, max, 2)))).containsExactly("t2", "t3");
    assertThat(texts(records.ofRoom("1", new Range(0, Spoken.NOW + 2, Spoken.NOW + 4, 9))))
        .containsExactly("t2", "t3");
  }

  /** Such a question copied every pair of room and sender, while the consumer thread waited. */
  @Test
  void oneRoomAndOneUserAreFoundWithoutTheOthers() {
    Records records = records(1 << 20, 1 << 20, 10);
    records.recorded(Spoken.join("1", 1));
    records.recorded(Spoken.text("1", 1, "a"));
    records.recorded(Spoken.text("2", 1, "b"));
    records.recorded(Spoken.text("2", 2, "c"));
    assertThat(records.roomsOf("user1"))
        .containsExactlyInAnyOrderEntriesOf(java.util.Map.of("1", 2L, "2", 1L));
    assertThat(records.roomsOf("user3")).isEmpty();
    assertThat(records.room("2"))
        .isEqualTo(records.rooms().get(1))
        .extracting("recorded")
        .isEqualTo(2L);
    assertThat(records.room("3")).isNull();
  }

  @Test
  void gapsAreKeptByShard() {
    Records records = records(1 << 20, 1 << 20, 10);
    records.gap(new Shard(3));
    records.gap(new Shard(3));
    assertThat(records.gaps())
        .containsExactly(java.util.Map.entry(3, new Records.Gaps(2, Spoken.NOW)));
  }

  @Test
  void minutesAreCountedByServerTimeAndTheOldLeftOut() {
    Minutes minutes = new Minutes();
    minutes.count(Spoken.NOW, Spoken.NOW);
    minutes.count(Spoken.NOW + 59_999, Spoken.NOW);
    minutes.count(Spoken.NOW - 60_000, Spoken.NOW);
    minutes.count(Spoken.NOW - 14 * 60_000, Spoken.NOW);
    minutes.count(Spoken.NOW - 15 * 60_000, Spoken.NOW);
    minutes.count(Spoken.NOW + 120_000, Spoken.NOW);
    long[] sums = new long[Minutes.BUCKETS];
    minutes.addTo(sums, Spoken.NOW);
    assertThat(sums).containsExactly(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2);
  }
}
