package dev.chatflow.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatflow.broker.Lane;
import dev.chatflow.log.Window.LineVerdict;
import dev.chatflow.message.DeadLetter;
import dev.chatflow.message.Line;
import dev.chatflow.record.Spoken;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.Shard;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Finds the position: no entry twice, none missed, and gaps reported. */
class PositionReaderTest {

  private static final String ROOM = "5";
  private static final int SHARDS = 1;
  private static final WindowBounds SMALL = new WindowBounds(4, 1 << 20);
  private static final long RING_BYTES = 1 << 20;
  private static final int RING_ENTRIES = 1 << 10;

  /** One entry of the log. */
  private record Written(
      long offset, @Nullable Entry entry, long built, String text, Arrival.Content content) {}

  /** A log in memory, with or without offsets, and a broker that may be unavailable. */
  private static final class FakeLogs implements Logs {
    private final boolean offsets;
    private final List<Written> log = new ArrayList<>();
    private @Nullable Inbox reader;
    private long next;
    private boolean away;
    private int overwritten; // entries it held when a reading began that never arrive

    FakeLogs(boolean offsets) {
      this.offsets = offsets;
    }

    void write(@Nullable Entry entry, long built, String text) {
      Arrival.Content content = text.isEmpty() ? Arrival.Content.NOTHING : Arrival.Content.LINE;
      write(new Written(next++, entry, built, text, content));
    }

    void writeBlock() {
      write(new Written(next++, null, 0, "binary", Arrival.Content.BLOCK));
    }

    private void write(Written written) {
      log.add(written);
      if (reader != null) {
        hand(written, reader);
      }
    }

    /** Removes the oldest entries. */
    void cut(int entries) {
      log.subList(0, entries).clear();
    }

    /** Creates the log again. */
    void recreate() {
      log.clear();
      next = 0;
      lose();
    }

    void lose() {
      if (reader != null) {
        reader.end("closed");
        reader = null;
      }
    }

    private void hand(Written written, Inbox inbox) {
      byte[] body =
          written.text().isEmpty()
              ? new byte[0]
              : Spoken.line(ROOM, 1, written.text()).getBytes(StandardCharsets.UTF_8);
      inbox.put(
          new Arrival(
              written.offset() + 1,
              offsets ? written.offset() : Arrival.NO_OFFSET,
              written.entry(),
              written.built(),
              written.content(),
              body,
              0));
    }

    @Override
    public boolean isOpen() {
      return !away;
    }

    @Override
    public boolean haveOffsets() {
      return offsets;
    }

    @Override
    public void ensure(Shard shard) {}

    @Override
    public long entries(Shard shard) {
      return (long) log.size() + overwritten;
    }

    @Override
    public Reading read(Shard shard, Start start, int prefetch, Inbox inbox) {
      reader = inbox;
      long from =
          switch (start) {
            case Start.Oldest _ -> 0;
            case Start.Last _ -> next - 1;
            case Start.At(long offset, _) -> offset;
          };
      List.copyOf(log).stream()
          .filter(written -> written.offset() >= from)
          .forEach(written -> hand(written, inbox));
      return new Reading() {
        @Override
        public void ackUpTo(long tag) {}

        @Override
        public void sendDeadLetter(DeadLetter letter) {}

        @Override
        public void close() {
          if (inbox.equals(reader)) {
            reader = null;
          }
        }
      };
    }
  }

  /** Remembers what was taken. */
  private static final class Memory implements EntryStore {
    private final List<String> texts = new ArrayList<>();
    private final List<String> gaps = new ArrayList<>();
    private @Nullable LogPosition position;
    private boolean full;
    private boolean fails;

    @Override
    public boolean hasSpace() {
      return !full;
    }

    @Override
    public @Nullable String take(Line.Message line, LineVerdict verdict) {
      texts.add(line.escapedText());
      return null;
    }

    @Override
    public void passed(LogPosition behind, int bytes) {
      if (fails) {
        fails = false;
        throw new IllegalStateException("a defect");
      }
      position = behind;
    }

    @Override
    public void entryDropped() {
      texts.removeLast();
    }

    @Override
    public void gap(String why) {
      gaps.add(why);
    }
  }

  private static final ReaderMeter NO_METER =
      new ReaderMeter() {
        @Override
        public void passed(Passed why) {}

        @Override
        public void poison() {}

        @Override
        public void unacked(int change) {}

        @Override
        public void incomplete() {}

        @Override
        public void attached(long tookNanos, long entries) {}
      };

  private final Memory memory = new Memory();
  private final Lane lane = new Lane("server-1", 1, 0);
  private long number;
  private long read;
  private long built = 1_000_000;
  private long now = System.nanoTime();

  private void say(FakeLogs logs, String text) {
    number++;
    built++;
    logs.write(new Entry(lane, number, read, !text.isEmpty()), built, text);
    read = number;
  }

  private PositionReader follower(FakeLogs logs, @Nullable LogPosition position) {
    return follower(logs, position, 0);
  }

  private PositionReader follower(FakeLogs logs, @Nullable LogPosition position, long sinceMillis) {
    return new PositionReader(
        new PositionReader.Parts(
            Shard.of(new RoomId(ROOM), SHARDS),
            logs,
            memory,
            NO_METER,
            new ReaderConfig(
                SHARDS, 1_000, SMALL, SMALL, RING_BYTES, RING_ENTRIES, Duration.ofMinutes(1)),
            position,
            sinceMillis,
            () -> {}));
  }

  /** Lets time pass until nothing is left to do. */
  private void run(PositionReader follower) {
    for (int step = 0; step < 2_000; step++) {
      now += Math.max(follower.step(now), TimeUnit.MILLISECONDS.toNanos(10));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void takesAllOfALogFromItsBirth(boolean offsets) {
    FakeLogs logs = new FakeLogs(offsets);
    say(logs, "a");
    say(logs, "");
    say(logs, "b");
    PositionReader follower = follower(logs, null);
    run(follower);
    say(logs, "c");
    run(follower);
    assertThat(memory.texts).containsExactly("a", "b", "c");
    assertThat(follower.state()).isEqualTo(PositionReader.State.FOLLOWING);
    assertThat(memory.gaps).isEmpty();
  }

  /** A block has no time of its own: the recording began with an old one, and so with old texts. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void newRecordingTakesNothingFromBeforeItsStart(boolean offsets) {
    FakeLogs logs = new FakeLogs(offsets);
    say(logs, "old1");
    logs.writeBlock();
    say(logs, "old2");
    PositionReader follower = follower(logs, null, built + 1);
    run(follower);
    logs.writeBlock();
    say(logs, "new");
    logs.writeBlock();
    run(follower);
    assertThat(memory.texts).containsExactly("new");
    assertThat(memory.gaps).isEmpty();
  }

  /** An idle shard counted as unread for ten seconds. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void waitsForNothingInAnEmptyLog(boolean offsets) {
    FakeLogs logs = new FakeLogs(offsets);
    PositionReader follower = follower(logs, null);
    long _ = follower.step(now);
    assertThat(follower.waits()).isFalse();
    say(logs, "a");
    run(follower);
    assertThat(memory.texts).containsExactly("a");
    assertThat(memory.gaps).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void goesOnBehindItsPlaceAfterARestart(boolean offsets) {
    FakeLogs logs = new FakeLogs(offsets);
    for (int i = 0; i < 300; i++) {
      say(logs, "m" + i);
    }
    PositionReader first = follower(logs, null);
    run(first);
    LogPosition position = memory.position;
    memory.texts.clear();
    say(logs, "n1");
    say(logs, "n2");
    PositionReader second = follower(logs, position);
    run(second);
    say(logs, "n3");
    run(second);
    assertThat(memory.texts).containsExactly("n1", "n2", "n3");
    assertThat(memory.gaps).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void goesOnBehindItsPlaceAfterALostChannel(boolean offsets) {
    FakeLogs logs = new FakeLogs(offsets);
    PositionReader follower = follower(logs, null);
    say(logs, "a");
    run(follower);
    logs.away = true;
    logs.lose();
    say(logs, "b");
    run(follower);
    logs.away = false;
    run(follower);
    assertThat(memory.texts).containsExactly("a", "b");
    assertThat(memory.gaps).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void takesEntriesOfNoLaneOnce(boolean offsets) {
    FakeLogs logs = new FakeLogs(offsets);
    say(logs, "a");
    logs.write(null, 0, "foreign1");
    logs.write(null, 0, "foreign2");
    run(follower(logs, null));
    LogPosition position = memory.position;
    logs.write(null, 0, "foreign3");
    say(logs, "b");
    run(follower(logs, position));
    assertThat(memory.texts).containsExactly("a", "foreign1", "foreign2", "foreign3", "b");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void passesACopyOver(boolean offsets) {
    FakeLogs logs = new FakeLogs(offsets);
    PositionReader follower = follower(logs, null);
    say(logs, "a");
    say(logs, "b");
    logs.write(new Entry(lane, 1, 0, true), 1_000_001, "a");
    run(follower);
    LogPosition position = memory.position;
    run(follower(logs, position));
    say(logs, "c");
    run(follower(logs, position));
    assertThat(memory.texts).containsExactly("a", "b", "c");
  }

  /** They were judged again, and the window lost its content from before them. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void passesCopiesOverOnceWhenItsChannelIsLost(boolean offsets) {
    FakeLogs logs = new FakeLogs(offsets);
    PositionReader follower = follower(logs, null);
    say(logs, "a");
    for (int i = 0; i < 3; i++) {
      logs.write(new Entry(lane, 1, 0, true), 1_000_001, "a");
    }
    run(follower);
    logs.lose();
    run(follower);
    say(logs, "b");
    run(follower);
    assertThat(memory.texts).containsExactly("a", "b");
  }

  /** The first entry of a server with another clock was mistaken for one of another log. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void findsAPositionWhoseServerHasAnotherClock(boolean offsets) {
    FakeLogs logs = new FakeLogs(offsets);
    say(logs, "a");
    logs.write(new Entry(new Lane("server-2", 1, 0), 1, 0, false), built - 600_000, "");
    run(follower(logs, null));
    LogPosition position = memory.position;
    say(logs, "c");
    run(follower(logs, position));
    assertThat(memory.texts).containsExactly("a", "c");
    assertThat(memory.gaps).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void reportsThatItsPositionIsLostAndContinuesFromTheOldestEntry(boolean offsets) {
    FakeLogs logs = new FakeLogs(offsets);
    say(logs, "a");
    run(follower(logs, null));
    LogPosition position = memory.position;
    for (int i = 0; i < 100; i++) {
      say(logs, "m" + i);
    }
    logs.cut(50);
    PositionReader follower = follower(logs, position);
    run(follower);
    say(logs, "new");
    run(follower);
    assertThat(memory.gaps).hasSize(1);
    assertThat(memory.texts).startsWith("a").endsWith("m98", "m99", "new").doesNotHaveDuplicates();
  }

  /** Beacons every 4 s kept the log from ever being silent for the 5 s that mark its end. */
  @Test
  void followsARingThatBringsFewerEntriesThanItHeld() {
    FakeLogs logs = new FakeLogs(false);
    say(logs, "a");
    run(follower(logs, null));
    logs.overwritten = 100;
    PositionReader follower = follower(logs, memory.position);
    for (int beat = 0; beat < 10; beat++) {
      say(logs, "");
      pass(follower, Duration.ofSeconds(4));
    }
    say(logs, "b");
    pass(follower, Duration.ofSeconds(4));
    assertThat(follower.state()).isEqualTo(PositionReader.State.FOLLOWING);
    assertThat(memory.texts).containsExactly("a", "b");
  }

  /** The entries between the overwritten original and its copy were skipped without a gap. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aCopyAfterALaterEntryOfItsLaneIsNotTakenForThePosition(boolean isRestarted) {
    FakeLogs logs = new FakeLogs(false);
    PositionReader first = follower(logs, null);
    say(logs, "a");
    say(logs, "b");
    run(first);
    long copied = number;
    logs.away = true;
    logs.lose();
    logs.cut(2);
    say(logs, "c");
    logs.write(new Entry(lane, copied, copied - 1, true), built - 1, "b"); // its copy
    say(logs, "d");
    run(first);
    logs.away = false;
    PositionReader next = isRestarted ? follower(logs, memory.position) : first;
    run(next);
    assertThat(memory.gaps).hasSize(1);
    assertThat(memory.texts).doesNotHaveDuplicates().contains("a", "b", "d");
  }

  /** The original was overwritten: taking its copy for it moved the window by one entry. */
  @Test
  void aCopyThatIsTheOldestEntryOfARingIsNotTakenForThePosition() {
    FakeLogs logs = new FakeLogs(false);
    PositionReader follower = follower(logs, null);
    run(follower);
    Lane other = new Lane("server-2", 1, 0);
    logs.write(new Entry(other, 1, 0, true), built, "first of the other lane");
    for (String text : List.of("a", "b", "c")) {
      say(logs, text);
    }
    run(follower);
    logs.away = true;
    logs.lose();
    logs.cut(4);
    logs.write(new Entry(lane, number, read - 1, true), built, "c"); // its copy
    logs.write(new Entry(other, 2, 1, true), built, "late");
    run(follower);
    logs.away = false;
    run(follower);
    assertThat(follower.state()).isEqualTo(PositionReader.State.FOLLOWING);
    assertThat(memory.texts).containsExactly("first of the other lane", "a", "b", "c");
  }

  private void pass(PositionReader follower, Duration time) {
    long end = now + time.toNanos();
    while (now < end) {
      now += Math.max(follower.step(now), TimeUnit.MILLISECONDS.toNanos(10));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void acceptsARecreatedLog(boolean offsets) {
    FakeLogs logs = new FakeLogs(offsets);
    for (int i = 0; i < 20; i++) {
      say(logs, "m" + i);
    }
    PositionReader follower = follower(logs, null);
    run(follower);
    logs.recreate();
    read = 0; // servers forget together with their log
    built += TimeUnit.MINUTES.toMillis(2);
    say(logs, "a");
    run(follower);
    say(logs, "b");
    run(follower);
    assertThat(memory.texts).hasSize(22).endsWith("a", "b").doesNotHaveDuplicates();
    assertThat(memory.gaps).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void reportsAGapAndContinues(boolean offsets) {
    FakeLogs logs = new FakeLogs(offsets);
    PositionReader follower = follower(logs, null);
    say(logs, "a");
    run(follower);
    number++;
    say(logs, "c");
    run(follower);
    say(logs, "d");
    run(follower);
    assertThat(memory.texts).containsExactly("a", "c", "d");
    assertThat(memory.gaps).singleElement().asString().contains("follows a hole");
  }

  /** The failure ended the recording of all shards, while {@code /health} stayed UP. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void readsAnEntryAgainAfterAnUnexpectedFailure(boolean offsets) {
    FakeLogs logs = new FakeLogs(offsets);
    PositionReader follower = follower(logs, null);
    for (int i = 0; i < 20; i++) {
      say(logs, "m" + i);
    }
    run(follower);
    memory.fails = true;
    say(logs, "again");
    assertThatThrownBy(() -> run(follower)).hasMessage("a defect");
    follower.restart("a defect", now);
    assertThat(follower.waits()).isTrue();
    say(logs, "next");
    run(follower);
    assertThat(memory.texts).hasSize(22).endsWith("again", "next").doesNotHaveDuplicates();
    assertThat(memory.gaps).isEmpty();
    assertThat(follower.waits()).isFalse();
  }

  /** The recorder waited at its position forever without reporting anything. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void reportsALogThatWasEmptied(boolean offsets) {
    FakeLogs logs = new FakeLogs(offsets);
    for (int i = 0; i < 20; i++) {
      say(logs, "m" + i);
    }
    run(follower(logs, null));
    LogPosition position = memory.position;
    logs.recreate();
    PositionReader follower = follower(logs, position);
    assertThat(follower.waits()).isTrue();
    run(follower);
    assertThat(memory.gaps).hasSize(1);
    assertThat(follower.waits()).isFalse();
    number = 0; // a server that appeared with the new log
    read = 0;
    say(logs, "a");
    run(follower);
    assertThat(memory.texts).hasSize(21).endsWith("a");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void waitsForSpace(boolean offsets) {
    FakeLogs logs = new FakeLogs(offsets);
    PositionReader follower = follower(logs, null);
    run(follower);
    memory.full = true;
    say(logs, "a");
    say(logs, "b");
    run(follower);
    assertThat(memory.texts).isEmpty();
    memory.full = false;
    run(follower);
    assertThat(memory.texts).containsExactly("a", "b");
  }
}
