package dev.chatflow.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.chatflow.log.LogPosition;
import dev.chatflow.message.Line;
import dev.chatflow.message.Rfc3339;
import dev.chatflow.record.ArchiveQueries.Page;
import dev.chatflow.record.StoreException.Cause;
import dev.chatflow.room.FrameName;
import dev.chatflow.room.Payload;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The contract of every store, for any database. */
abstract class StoreContract {

  static final int SHARDS = 4;
  private static final Page NEWEST = new Page(0, Long.MAX_VALUE, 0, Long.MAX_VALUE, 100);

  private final AtomicLong now = new AtomicLong(Spoken.NOW);
  final InstantSource clock = () -> Instant.ofEpochMilli(now.get());
  private final List<Store> opened = new ArrayList<>();

  /** Returns another store of the same archive, as another process has it. */
  abstract Store store();

  private Store another() {
    Store store = store();
    opened.add(store);
    return store;
  }

  @AfterEach
  void close() {
    for (Store store : opened) {
      store.questions().close();
      store.close();
    }
  }

  static Row row(Line.Message line) {
    return Row.of(line, false);
  }

  static Row text(String room, int user, String text) {
    return row(Spoken.text(room, user, text));
  }

  static LogPosition position(long offset) {
    return new LogPosition(offset, "server-1/1/0", offset + 1, 1_000 + offset, 0);
  }

  static WriteBatch batch(int shard, long offset, Row... rows) {
    return new WriteBatch(Map.of(shard, List.of(rows)), Map.of(shard, position(offset)), List.of());
  }

  private static List<String> bodies(List<ArchiveQueries.Stored> found) {
    return found.stream().map(each -> each.row().body()).toList();
  }

  private static List<Long> positions(List<ArchiveQueries.Stored> found) {
    return found.stream().map(ArchiveQueries.Stored::position).toList();
  }

  @Test
  void writesRowsWithTheirPlaceAndShowsThemInOrder() throws Exception {
    Store store = another();
    Map<Integer, Store.Mark> none = store.open(SHARDS, 0);
    assertThat(none).isEmpty();
    Map<Integer, Store.Mark> marks =
        store.append(batch(1, 7, text("1", 1, "a"), text("5", 2, "b"), text("1", 2, "c")), none);
    marks = store.append(batch(1, 9, text("1", 1, "d")), marks);
    assertThat(marks).isEqualTo(Map.of(1, new Store.Mark(position(9), 4)));
    assertThat(store.open(SHARDS, 0)).isEqualTo(marks);
    List<ArchiveQueries.Stored> found = store.questions().ofRoom("1", NEWEST);
    assertThat(bodies(found)).containsExactly("a", "c", "d");
    assertThat(positions(found)).containsExactly(1L, 3L, 4L);
  }

  @Test
  void givesBackTheFramesThatMembersWereShown() throws Exception {
    List<Line.Message> lines =
        List.of(
            Spoken.join("1", 1),
            Spoken.text("1", 1, "quote \" back \\ nul \0 line \n é 😀"),
            Spoken.leave("1", 1, false),
            Spoken.leave("1", 2, true));
    Row[] rows = lines.stream().map(StoreContract::row).toArray(Row[]::new);
    Store store = another();
    var _ = store.append(batch(0, 1, rows), store.open(SHARDS, 0));
    List<String> shown = lines.stream().map(StoreContract::shown).toList();
    assertThat(store.questions().ofRoom("1", NEWEST))
        .extracting(each -> each.row().frame())
        .containsExactlyElementsOf(shown);
  }

  private static String shown(Line.Message line) {
    Payload payload = line.payload();
    int end = payload.offset() + payload.length();
    return new String(
        Arrays.copyOfRange(payload.bytes(), payload.offset(), end), StandardCharsets.UTF_8);
  }

  @Test
  void writesAllOfABatchOrNothing() throws Exception {
    Store store = another();
    Map<Integer, Store.Mark> marks =
        store.append(batch(0, 1, text("1", 1, "a")), store.open(SHARDS, 0));
    String tooLong = "x".repeat(20);
    Row refused =
        new Row(Row.Kind.TEXT, "1", "1", "user1", "s", 1, tooLong, refusedId(), "bad", "");
    WriteBatch bad = batch(0, 2, text("9", 9, "b"), refused);
    refuse(store);
    assertThat(store.accepts(bad, marks)).isFalse();
    StoreException failure =
        catchThrowableOfType(StoreException.class, () -> store.append(bad, marks));
    assertThat(failure.why()).isEqualTo(Cause.REFUSED);
    assertThat(store.open(SHARDS, 0)).isEqualTo(marks);
    assertThat(store.questions().ofRoom("9", NEWEST)).isEmpty();
    var _ = store.append(batch(0, 2, text("9", 9, "b")), marks);
    assertThat(bodies(store.questions().ofRoom("9", NEWEST))).containsExactly("b");
  }

  /** Returns the message id that {@link #refuse} makes the database reject. */
  static String refusedId() {
    return "refused";
  }

  /** Makes the database reject messages of {@link #refusedId} from now on. */
  abstract void refuse(Store store) throws Exception;

  @Test
  void writesNothingAfterAPositionMovedByAnotherProcess() throws Exception {
    Store first = another();
    Map<Integer, Store.Mark> frozen =
        first.append(batch(0, 1, text("1", 1, "a")), first.open(SHARDS, 0));
    first.close();
    Store second = another();
    var _ = second.append(batch(0, 2, text("1", 1, "b")), second.open(SHARDS, 0));
    second.close();
    var _ = first.open(SHARDS, 0);
    StoreException fenced =
        catchThrowableOfType(
            StoreException.class, () -> first.append(batch(0, 2, text("1", 1, "b")), frozen));
    assertThat(fenced.why()).isEqualTo(Cause.FENCED);
    assertThat(bodies(first.questions().ofRoom("1", NEWEST))).containsExactly("a", "b");
  }

  @Test
  void hasOneWriter() throws Exception {
    Store first = another();
    var _ = first.open(SHARDS, 0);
    Store second = another();
    StoreException refusal =
        catchThrowableOfType(StoreException.class, () -> second.open(SHARDS, 0));
    assertThat(refusal.why()).isEqualTo(Cause.AWAY);
    assertThat(refusal).hasMessageContaining("another process writes");
    first.close();
    assertThat(second.open(SHARDS, 0)).isEmpty();
  }

  @Test
  void isOfOneNumberOfShards() throws Exception {
    Store store = another();
    var _ = store.open(SHARDS, 0);
    store.close();
    StoreException refusal =
        catchThrowableOfType(StoreException.class, () -> store.open(SHARDS + 1, 0));
    assertThat(refusal.why()).isEqualTo(Cause.UNUSABLE);
    assertThat(refusal).hasMessageContaining("CHATFLOW_SHARDS=5");
  }

  @Test
  void remembersSinceWhenItIsWanted() throws Exception {
    Store store = another();
    var _ = store.open(SHARDS, 77);
    assertThat(store.sinceMillis()).isEqualTo(77);
    store.close();
    var _ = store.open(SHARDS, 0);
    assertThat(store.sinceMillis()).isEqualTo(77);
  }

  @Test
  void countsMessagesAndResends() throws Exception {
    Store store = another();
    Row again = Row.of(Spoken.text("1", 1, "a"), true);
    Map<Integer, Store.Mark> marks =
        store.append(
            batch(0, 1, row(Spoken.join("1", 1)), text("1", 1, "a"), again), store.open(SHARDS, 0));
    var _ =
        store.append(
            batch(0, 2, text("1", 1, "b"), text("2", 1, "c"), row(Spoken.leave("1", 1, true))),
            marks);
    Analytics analytics = new Analytics(store.questions());
    assertThat(analytics.counts().rooms())
        .containsExactly(
            new Analytics.RoomCounts(
                "1", 4, List.of(new Analytics.SenderCount("1", "user1", 1, 2, 0, 1))),
            new Analytics.RoomCounts(
                "2", 1, List.of(new Analytics.SenderCount("1", "user1", 0, 1, 0, 0))));
    assertThat(analytics.roomsOf("user1"))
        .extracting(Analytics.RoomPart::roomId, Analytics.RoomPart::messages)
        .containsExactly(tuple("1", 4L), tuple("2", 1L));
    assertThat(analytics.messages()).isEqualTo(5);
    assertThat(analytics.topRooms(1)).containsExactly(new Analytics.RoomMessages("1", 4));
    assertThat(analytics.topUsersByRooms(5)).containsExactly(new Analytics.UserRooms("user1", 2));
    assertThat(analytics.topRoomsByUsers(5))
        .containsExactly(new Analytics.RoomUsers("1", 1), new Analytics.RoomUsers("2", 1));
    Analytics.Window hour = new Analytics.Window(Spoken.NOW - 3_600_000, Spoken.NOW + 1);
    assertThat(analytics.activeUsers(hour.sinceMillis(), hour.untilMillis(), 5).mostActive())
        .containsExactly(new Analytics.UserMessages("user1", 5));
    assertThat(analytics.rate(hour, 60, "", ""))
        .extracting(Analytics.Step::messages)
        .containsExactly(5L);
    assertThat(analytics.rate(hour, 1, "1", "user1"))
        .extracting(Analytics.Step::messages)
        .containsExactly(4L);
    assertThat(analytics.rate(hour, 3600, "2", ""))
        .extracting(Analytics.Step::messages)
        .containsExactly(1L);
  }

  @Test
  void pagesThroughAllOfARoom() throws Exception {
    Store store = another();
    List<Row> rows = new ArrayList<>();
    for (int i = 1; i <= 250; i++) {
      rows.add(text("1", 1, "m" + i));
    }
    var _ = store.append(batch(0, 1, rows.toArray(Row[]::new)), store.open(SHARDS, 0));
    ArchiveQueries questions = store.questions();
    List<ArchiveQueries.Stored> newest = questions.ofRoom("1", NEWEST);
    assertThat(positions(newest)).startsWith(151L).endsWith(250L).hasSize(100);
    Page back = new Page(0, newest.getFirst().position(), 0, Long.MAX_VALUE, 100);
    assertThat(positions(questions.ofRoom("1", back))).startsWith(51L).endsWith(150L);
    Page forward = new Page(3, Long.MAX_VALUE, 0, Long.MAX_VALUE, 2);
    assertThat(bodies(questions.ofRoom("1", forward))).containsExactly("m3", "m4");
    assertThat(bodies(questions.ofUser("user1", new Page(0, 0, 0, Long.MAX_VALUE, 2))))
        .containsExactly("m249", "m250");
  }

  @Test
  void findsTheFrameThatAPageIsToEndBefore() throws Exception {
    Store store = another();
    var _ =
        store.append(
            batch(0, 1, row(Spoken.join("1", 1)), text("1", 2, "a")), store.open(SHARDS, 0));
    String time = Rfc3339.text(Spoken.NOW);
    FrameName name = new FrameName("TEXT", "2", "m-1", time, Spoken.NOW);
    assertThat(store.questions().position("1", name)).isEqualTo(2L);
    FrameName other = new FrameName("LEAVE", "2", "m-1", time, Spoken.NOW);
    assertThat(store.questions().position("1", other)).isNull();
  }

  @Test
  void forgetsAPersonWhileAnotherProcessWrites() throws Exception {
    Store writer = another();
    Map<Integer, Store.Mark> marks =
        writer.append(
            batch(0, 1, text("1", 17, "secret"), text("1", 2, "b")), writer.open(SHARDS, 0));
    assertThat(another().forget("17")).isEqualTo(1);
    List<ArchiveQueries.Stored> found = writer.questions().ofRoom("1", NEWEST);
    assertThat(bodies(found)).containsExactly("", "b");
    assertThat(found.getFirst().row().frame())
        .contains("\"removed\":true")
        .doesNotContain("secret", "user17");
    Analytics analytics = new Analytics(writer.questions());
    assertThat(analytics.roomsOf("user17")).isEmpty();
    assertThat(analytics.messages()).isEqualTo(2);
    var _ = writer.append(batch(0, 2, text("1", 17, "new")), marks);
    assertThat(bodies(writer.questions().ofUser("user17", NEWEST))).containsExactly("new");
  }

  @Test
  void extrasOfATextAreKeptUntilItsUserIsForgotten() throws Exception {
    Store store = another();
    String extras =
        ",\"kind\":\"edit\",\"ref\":\"m-1\",\"refUserId\":\"17\",\"data\":{\"ü\":\"\\u0000\"}";
    Row row =
        new Row(
            Row.Kind.TEXT, "1", "17", "user17", "s", 1, "2026-11-20T18:46:00Z", "m", "a", extras);
    var _ = store.append(batch(0, 1, row), store.open(SHARDS, 0));
    assertThat(store.questions().ofRoom("1", NEWEST).getFirst().row()).isEqualTo(row);
    assertThat(row.frame()).endsWith(",\"status\":200" + extras + "}");
    assertThat(another().forget("17")).isEqualTo(1);
    assertThat(store.questions().ofRoom("1", NEWEST).getFirst().row().extras()).isEmpty();
  }

  /** Changes the tables to the first version, in which user ids were integers. */
  abstract void makeOfTheFirstVersion() throws Exception;

  @Test
  void recordOfTheFirstVersionIsBroughtUpToDate() throws Exception {
    Store old = another();
    var _ = old.append(batch(0, 1, text("1", 17, "a")), old.open(SHARDS, 0));
    old.close();
    makeOfTheFirstVersion();
    Store store = another();
    Map<Integer, Store.Mark> marks = store.open(SHARDS, 0);
    var _ =
        store.append(
            batch(0, 2, text("1", 17, "b"), row(Spoken.text("1", "ann@x", "ann", "c"))), marks);
    assertThat(new Analytics(store.questions()).counts().rooms().getFirst().senders())
        .containsExactly(
            new Analytics.SenderCount("17", "user17", 0, 2, 0, 0),
            new Analytics.SenderCount("ann@x", "ann", 0, 1, 0, 0));
    assertThat(bodies(store.questions().ofUser("user17", NEWEST))).containsExactly("a", "b");
  }

  @Test
  void userIdsAreTexts() throws Exception {
    Store store = another();
    String ann = "auth0:ann@example.org";
    var _ =
        store.append(
            batch(
                0,
                1,
                row(Spoken.text("1", ann, "ann", "a")),
                row(Spoken.text("1", "007", "bond", "b")),
                row(Spoken.text("1", "7", "bond", "c"))),
            store.open(SHARDS, 0));
    assertThat(store.questions().ofRoom("1", NEWEST))
        .extracting(each -> each.row().userId())
        .containsExactly(ann, "007", "7");
    FrameName name = new FrameName("TEXT", ann, "m-1", Rfc3339.text(Spoken.NOW), Spoken.NOW);
    assertThat(store.questions().position("1", name)).isEqualTo(1L);
    assertThat(new Analytics(store.questions()).counts().rooms().getFirst().senders())
        .extracting(Analytics.SenderCount::userId)
        .containsExactly("7", "007", ann);
    assertThat(another().forget(ann)).isEqualTo(1);
    assertThat(bodies(store.questions().ofRoom("1", NEWEST))).containsExactly("", "b", "c");
  }

  @Test
  void keepsMessagesForAWhileAndCountsForLonger() throws Exception {
    Store store = another();
    Map<Integer, Store.Mark> marks =
        store.append(batch(0, 1, text("1", 1, "old")), store.open(SHARDS, 0));
    now.addAndGet(Duration.ofDays(3).toMillis());
    var _ = store.append(batch(0, 2, text("1", 1, "new")), marks);
    long today = Duration.ofMillis(now.get()).toDays();
    while (store.retain(today - 1, today - 400)) {
      assertThat(store.questions().ofRoom("1", NEWEST)).isNotEmpty();
    }
    assertThat(bodies(store.questions().ofRoom("1", NEWEST))).containsExactly("new");
    assertThat(new Analytics(store.questions()).messages()).isEqualTo(2);
  }

  @Test
  void deletesOldCountsAndUsersLeftWithoutAny() throws Exception {
    Store store = another();
    Map<Integer, Store.Mark> marks =
        store.append(
            batch(0, 1, text("1", 1, "a"), text("1", 2, "b"), text("2", 2, "c")),
            store.open(SHARDS, 0));
    long said = Duration.ofMillis(Spoken.NOW).toDays();
    while (store.retain(said - 1, said)) {
      assertThat(store.questions().ofRoom("1", NEWEST)).as("they are kept").hasSize(2);
    }
    Analytics analytics = new Analytics(store.questions());
    assertThat(analytics.messages()).as("of that day").isEqualTo(3);
    now.addAndGet(Duration.ofDays(2).toMillis());
    while (store.retain(said + 1, said + 1)) {
      assertThat(store.questions().ofRoom("1", NEWEST)).isEmpty();
    }
    assertThat(analytics.messages()).isZero();
    assertThat(analytics.counts().rooms()).isEmpty();
    assertThat(store.questions().ask("SELECT username FROM sender", row -> row.getString(1)))
        .isEmpty();
    marks = store.append(batch(0, 2, text("1", 2, "d")), marks);
    assertThat(marks).containsKey(0);
    assertThat(bodies(store.questions().ofUser("user2", NEWEST))).containsExactly("d");
    assertThat(analytics.messages()).isEqualTo(1);
  }

  @Test
  void remembersGapsAcrossRestarts() throws Exception {
    Store store = another();
    WriteBatch.Gap gap = new WriteBatch.Gap(2, Spoken.NOW, 1, "the log was cut");
    Map<Integer, List<Row>> rows = new TreeMap<>(Map.of(2, List.of(text("1", 1, "a"))));
    var _ =
        store.append(
            new WriteBatch(rows, Map.of(2, position(3)), List.of(gap)), store.open(SHARDS, 0));
    store.close();
    assertThat(new Analytics(another().questions()).gaps())
        .containsExactly(new Analytics.Gap(2, Rfc3339.text(Spoken.NOW), 1, "the log was cut"));
  }
}
