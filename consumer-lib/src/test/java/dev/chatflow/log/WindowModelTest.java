package dev.chatflow.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.chatflow.broker.Lane;
import dev.chatflow.log.Window.LineVerdict;
import dev.chatflow.message.ChatMessage;
import dev.chatflow.message.ClientMessage;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.UserDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Judges random logs of a few lanes, with copies, entries that name old numbers, and sizes of all
 * kinds, and compares the verdicts with a scan of each window in the whole log.
 */
class WindowModelTest {

  private static final RoomId ROOM = new RoomId("5");

  static LongStream seeds() {
    return new Random(31).longs(100);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void judgesLikeASearchOfTheWholeLog(long seed) {
    RandomLog log = new RandomLog(new Random(seed));
    Naive naive = new Naive(log);
    Window window = new Window(log.bounds, true);

    for (int position = 0; position < log.stored.size(); position++) {
      compare(position, naive, naive.verdict(position), window, log.stored.get(position));
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void whoeverBeginsSomewhereJudgesAlikeOnceItsMemoryIsComplete(long seed) {
    Random random = new Random(seed);
    RandomLog log = new RandomLog(random);
    Naive naive = new Naive(log);
    for (int position = 0; position < log.stored.size(); position++) {
      naive.verdict(position);
    }
    int start = random.nextInt(log.stored.size() / 2);
    Window window = new Window(log.bounds, false);
    boolean wasComplete = false;

    for (int position = start; position < log.stored.size(); position++) {
      Stored stored = log.stored.get(position);
      EntryVerdict verdict = window.judge(stored.entry, stored.bytes);
      List<LineVerdict> lines = verdict == EntryVerdict.ON_TIME ? say(window, stored) : List.of();
      if (window.isComplete()) {
        wasComplete = true;
        assertThat(isShown(verdict))
            .as("place %d: %s", position, verdict)
            .isEqualTo(isShown(naive.verdicts.get(position)));
        assertThat(lines).as("place %d", position).isEqualTo(naive.lines.get(position));
      } else {
        assertThat(verdict).as("place %d", position).isNotEqualTo(EntryVerdict.LOSS);
      }
    }
    if (log.isCalm && start < log.stored.size() / 3) {
      assertThat(wasComplete).as("complete at the end").isTrue();
    }
  }

  /**
   * A copy whose original is far outside the window is late for a reader that did not read the
   * original.
   */
  private static boolean isShown(EntryVerdict verdict) {
    return verdict == EntryVerdict.ON_TIME;
  }

  private static void compare(
      int position, Naive naive, EntryVerdict expected, Window window, Stored stored) {
    EntryVerdict verdict = window.judge(stored.entry, stored.bytes);
    if (verdict != expected) {
      fail("place %d: %s is %s, not %s", position, stored.entry, verdict, expected);
    }
    if (verdict == EntryVerdict.ON_TIME) {
      assertThat(say(window, stored)).as("place %d", position).isEqualTo(naive.lines.get(position));
    }
  }

  private static List<LineVerdict> say(Window window, Stored stored) {
    return stored.lines.stream().map(line -> say(window, line)).toList();
  }

  private static LineVerdict say(Window window, Line line) {
    UserDevice who = new UserDevice(line.user, "");
    return switch (line.kind) {
      case 'J' -> window.join(ROOM, who, line.stamp);
      case 'L' -> window.leave(ROOM, who, line.stamp);
      case 'M', 'R' -> window.mute(mute(line));
      default -> window.say(ROOM, who, line.isPost ? null : line.stamp, line.id, line.accepted());
    };
  }

  private static ChatMessage mute(Line line) {
    ClientMessage content =
        ClientMessage.mute(line.user, line.until(), 0).withMessageId(line.muteId());
    ChatMessage.Origin origin = new ChatMessage.Origin("s0", "", "");
    return new ChatMessage(content, ROOM, 0, origin, line.kind == 'R');
  }

  private static final List<String> USERS = List.of("1", "ann@example.org");

  /**
   * A line.
   *
   * @param kind J(OIN), L(EAVE), T(EXT), M(ute) or R(epetition of a mute)
   */
  private record Line(char kind, String user, Stamp stamp, long id, boolean isPost) {

    long accepted() {
      return id;
    }

    long until() {
      return stamp.time();
    }

    String muteId() {
      return "m" + id % 4;
    }
  }

  private record Stored(Entry entry, int bytes, List<Line> lines) {}

  /** A log as lanes may leave it: numbers rise, repeats may come much later. */
  private static final class RandomLog {

    private final List<Stored> stored = new ArrayList<>();
    private final WindowBounds bounds;

    /** Whether no entry names an old number, so that the memory must become complete. */
    private final boolean isCalm;

    RandomLog(Random random) {
      bounds = new WindowBounds(2 + random.nextInt(20), 50 + random.nextInt(2_000));
      isCalm = random.nextBoolean();
      int lanes = 1 + random.nextInt(3);
      List<List<Stored>> sent = new ArrayList<>();
      for (int lane = 0; lane < lanes; lane++) {
        sent.add(new ArrayList<>());
      }
      for (int step = 0; step < 400; step++) {
        int lane = random.nextInt(lanes);
        List<Stored> before = sent.get(lane);
        if (!before.isEmpty() && random.nextInt(8) == 0) {
          stored.add(before.get(random.nextInt(before.size())));
        } else {
          Stored fresh = next(new Lane("s" + lane, 7, 0), before.size() + 1L, random);
          before.add(fresh);
          stored.add(fresh);
        }
      }
    }

    private Stored next(Lane lane, long number, Random random) {
      int back = isCalm || random.nextInt(4) > 0 ? 1 + random.nextInt(2) : 1 + random.nextInt(12);
      long read = Math.max(0, number - back);
      List<Line> lines = new ArrayList<>();
      int size = read == 0 ? 0 : random.nextInt(4);
      for (int i = 0; i < size; i++) {
        String user = USERS.get(random.nextInt(USERS.size()));
        Stamp stamp = new Stamp(random.nextInt(60), lane.serverId(), "");
        char kind = "JLTTTTTTMR".charAt(random.nextInt(10));
        lines.add(new Line(kind, user, stamp, random.nextInt(40), random.nextInt(3) == 0));
      }
      return new Stored(
          new Entry(lane, number, read, !lines.isEmpty()), 10 + random.nextInt(60), lines);
    }
  }

  /** The rules, implemented literally. */
  private static final class Naive {

    private final RandomLog log;
    private final List<EntryVerdict> verdicts = new ArrayList<>();
    private final List<List<LineVerdict>> lines = new ArrayList<>();

    Naive(RandomLog log) {
      this.log = log;
    }

    EntryVerdict verdict(int position) {
      Entry entry = log.stored.get(position).entry;
      EntryVerdict verdict = isCopy(position) ? EntryVerdict.COPY : timeliness(position, entry);
      verdicts.add(verdict);
      lines.add(List.of());
      if (verdict == EntryVerdict.ON_TIME) {
        judgeLines(position);
      }
      return verdict;
    }

    private int windowStart(int position) {
      int start = position;
      long bytes = 0;
      while (start > 0 && position - start < log.bounds.entries()) {
        bytes += log.stored.get(start - 1).bytes;
        if (bytes > log.bounds.bytes()) {
          break;
        }
        start--;
      }
      return start;
    }

    private boolean isCopy(int position) {
      Entry entry = log.stored.get(position).entry;
      return log.stored.subList(0, position).stream()
          .anyMatch(s -> s.entry.lane().equals(entry.lane()) && s.entry.number() >= entry.number());
    }

    private EntryVerdict timeliness(int position, Entry entry) {
      if (entry.read() == 0) {
        return EntryVerdict.ON_TIME;
      }
      boolean found = false;
      for (int at = windowStart(position); at < position; at++) {
        Entry other = log.stored.get(at).entry;
        found |=
            other.lane().equals(entry.lane())
                && other.number() == entry.read()
                && verdicts.get(at) != EntryVerdict.COPY;
      }
      return found && !isHandedOn(position, entry) ? EntryVerdict.ON_TIME : EntryVerdict.LATE;
    }

    private boolean isHandedOn(int position, Entry entry) {
      for (int at = 0; at < position; at++) {
        Entry other = log.stored.get(at).entry;
        if (other.lane().equals(entry.lane())
            && verdicts.get(at) == EntryVerdict.LATE
            && other.hasLines()
            && entry.read() < other.number()) {
          return true;
        }
      }
      return false;
    }

    private void judgeLines(int position) {
      List<LineVerdict> judged = new ArrayList<>();
      lines.set(position, judged);
      List<Line> own = log.stored.get(position).lines;
      for (int i = 0; i < own.size(); i++) {
        judged.add(judge(position, i, own.get(i)));
      }
    }

    private LineVerdict judge(int position, int index, Line line) {
      boolean superseded = false;
      boolean same = false;
      for (int at = windowStart(position); at <= position; at++) {
        List<Line> there = lines(at);
        for (int i = 0; i < (at == position ? index : there.size()); i++) {
          Line other = there.get(i);
          superseded |=
              other.kind == 'J'
                  && other.user.equals(line.user)
                  && other.stamp.compareTo(line.stamp) > 0;
          same |= isSame(other, lines.get(at).get(i), line);
        }
      }
      if (line.kind == 'M' || line.kind == 'R') {
        return line.kind == 'M' ? LineVerdict.SHOWN : LineVerdict.REPEAT;
      }
      if (superseded && !(line.kind == 'T' && line.isPost)) {
        return LineVerdict.VOID;
      }
      if (line.kind == 'T' && !same && isMuted(position, index, line)) {
        return LineVerdict.REFUSED;
      }
      if (line.kind == 'J' || !same) {
        return LineVerdict.SHOWN;
      }
      return line.kind == 'L' ? LineVerdict.VOID : LineVerdict.REPEAT;
    }

    /** Returns whether the newest mute that counts forbids the line. */
    private boolean isMuted(int position, int index, Line line) {
      Line newest = newestMute(position, index, line.user, true);
      return newest != null && line.accepted() < newest.until();
    }

    /** Returns the newest mute of a user in the window of a line; repetitions count if they may. */
    private @Nullable Line newestMute(
        int position, int index, String user, boolean withRepetitions) {
      Line newest = null;
      for (int at = windowStart(position); at <= position; at++) {
        List<Line> there = lines(at);
        for (int i = 0; i < (at == position ? index : there.size()); i++) {
          Line other = there.get(i);
          boolean counts =
              other.kind == 'M' || (other.kind == 'R' && withRepetitions && isValid(at, i, other));
          newest = counts && other.user.equals(user) ? other : newest;
        }
      }
      return newest;
    }

    /** Returns whether a repetition repeats the newest mute of its window, or there is none. */
    private boolean isValid(int position, int index, Line repetition) {
      Line newest = newestMute(position, index, repetition.user, false);
      return newest == null || newest.muteId().equals(repetition.muteId());
    }

    private List<Line> lines(int position) {
      return verdicts.get(position) == EntryVerdict.ON_TIME
          ? log.stored.get(position).lines
          : List.of();
    }

    private static boolean isSame(Line other, @Nullable LineVerdict verdict, Line line) {
      if (other.kind != line.kind) {
        return false;
      }
      return line.kind == 'L'
          ? other.user.equals(line.user) && other.stamp.equals(line.stamp)
          : other.id == line.id && verdict != LineVerdict.VOID && verdict != LineVerdict.REFUSED;
    }
  }
}
