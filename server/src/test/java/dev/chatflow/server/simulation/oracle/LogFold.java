package dev.chatflow.server.simulation.oracle;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.chatflow.broker.Lane;
import dev.chatflow.log.Stamp;
import dev.chatflow.log.Window.LineVerdict;
import dev.chatflow.log.WindowBounds;
import dev.chatflow.message.Line;
import dev.chatflow.message.LineReader;
import dev.chatflow.message.MessageType;
import dev.chatflow.room.Payload;
import dev.chatflow.server.publish.LaneEntry;
import dev.chatflow.server.simulation.world.Said;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Computes the meaning of a whole log naively: it scans the window of each entry again, and uses no
 * code of the product except the line decoder.
 */
public final class LogFold {

  enum Worth {
    COPY,
    LATE,
    ON_TIME
  }

  /**
   * An entry, its verdict, and its lines if it is on time.
   *
   * @param cut the indices of the JOINs and LEAVEs of muted users, which lose their data
   */
  record Judged(LaneEntry entry, Worth worth, List<Said> lines, BitSet cut) {}

  private final WindowBounds bounds;
  private final LineReader reader = new LineReader();
  private final List<Judged> judged = new ArrayList<>();
  private final Map<Lane, Long> high = new HashMap<>();

  // Where the window of the next entry begins.
  private int from;

  LogFold(WindowBounds bounds) {
    this.bounds = bounds;
  }

  /** Judges the next entry of the log. */
  Judged add(LaneEntry entry) {
    from = windowOf(judged.size());
    Worth worth = worth(entry);
    high.merge(entry.lane(), entry.number(), Math::max);
    List<Said> lines = new ArrayList<>();
    Judged result = new Judged(entry, worth, lines, new BitSet());
    if (worth == Worth.ON_TIME) {
      for (Line.Message line : lines(entry)) {
        Said plain = Said.of(line, LineVerdict.SHOWN);
        boolean isMuted = isMuted(plain, entry.timeMillis(), lines);
        result.cut().set(lines.size(), isMuted && line.type().changesMembership());
        lines.add(plain.with(verdict(plain, isMuted, lines)));
      }
    }
    judged.add(result);
    return result;
  }

  /** Returns the frames that members see for an entry's lines. */
  List<String> frames(Judged of) {
    List<String> frames = new ArrayList<>();
    for (Line.Message line : lines(of.entry())) {
      Payload payload = line.payload();
      String frame = new String(payload.bytes(), payload.offset(), payload.length(), UTF_8);
      frames.add(
          of.cut().get(frames.size()) ? frame.replaceFirst(",\"data\":\\{[^}]*}", "") : frame);
    }
    return frames;
  }

  /** Returns the connections of an entry's lines. */
  List<String> connections(Judged of) {
    return lines(of.entry()).stream().map(line -> String.valueOf(line.connectionId())).toList();
  }

  /** Returns where the window of an entry begins: entries before it that keep both bounds. */
  private int windowOf(int position) {
    int first = position;
    long bytes = 0;
    while (first > 0
        && position - first < bounds.entries()
        && bytes + judged.get(first - 1).entry().body().length <= bounds.bytes()) {
      bytes += judged.get(--first).entry().body().length;
    }
    return first;
  }

  private Worth worth(LaneEntry entry) {
    if (entry.number() <= high.getOrDefault(entry.lane(), 0L)) {
      return Worth.COPY;
    }
    if (entry.read() == 0) {
      return Worth.ON_TIME;
    }
    return isReadInWindow(entry) && !isBelowLate(entry) ? Worth.ON_TIME : Worth.LATE;
  }

  private boolean isReadInWindow(LaneEntry entry) {
    for (int at = from; at < judged.size(); at++) {
      Judged each = judged.get(at);
      if (each.entry().number() == entry.read()
          && each.worth() != Worth.COPY
          && each.entry().lane().equals(entry.lane())) {
        return true;
      }
    }
    return false;
  }

  private boolean isBelowLate(LaneEntry entry) {
    for (Judged each : judged) {
      if (each.worth() == Worth.LATE
          && !each.entry().isBeacon()
          && entry.read() < each.entry().number()
          && each.entry().lane().equals(entry.lane())) {
        return true;
      }
    }
    return false;
  }

  private LineVerdict verdict(Said plain, boolean isMuted, List<Said> before) {
    Said.Mute own = plain.mute();
    if (own != null) {
      return own.isRepetition() ? LineVerdict.REPEAT : LineVerdict.SHOWN;
    }
    boolean isVoid = isVoidBehind(before, plain);
    boolean isRepeat = isRepeatBehind(before, plain);
    for (int at = from; at < judged.size(); at++) {
      isVoid |= isVoidBehind(judged.get(at).lines(), plain);
      isRepeat |= isRepeatBehind(judged.get(at).lines(), plain);
    }
    boolean isRefused = isMuted && !plain.type().changesMembership();
    LineVerdict shown = isRefused ? LineVerdict.REFUSED : LineVerdict.SHOWN;
    return isVoid ? LineVerdict.VOID : isRepeat ? LineVerdict.REPEAT : shown;
  }

  /** Returns whether the newest mute in the window of the next entry applies to a message. */
  private boolean isMuted(Said line, long millis, List<Said> before) {
    Said.Mute newest = newestMute(judged.size(), before.size(), line.userId(), true, before);
    return newest != null && millis < newest.until();
  }

  /**
   * Returns the newest mute of a user in the window of a line; repetitions count if they may.
   *
   * @param index number of lines before it in its entry
   * @param current the lines so far of the entry that is judged
   */
  private Said.@Nullable Mute newestMute(
      int position, int index, String userId, boolean withRepetitions, List<Said> current) {
    Said.Mute newest = null;
    for (int at = windowOf(position); at <= position; at++) {
      List<Said> there = at < judged.size() ? judged.get(at).lines() : current;
      for (int i = 0; i < (at == position ? index : there.size()); i++) {
        Said.Mute mute = there.get(i).userId().equals(userId) ? there.get(i).mute() : null;
        if (mute != null
            && (!mute.isRepetition()
                || (withRepetitions && isValid(mute, newestMute(at, i, userId, false, current))))) {
          newest = mute;
        }
      }
    }
    return newest;
  }

  /** Returns whether a repetition repeats the newest mute of its window, or there is none. */
  private static boolean isValid(Said.Mute repetition, Said.@Nullable Mute newest) {
    return newest == null || newest.id().equals(repetition.id());
  }

  private static boolean isVoidBehind(List<Said> lines, Said line) {
    Stamp stamp = line.stamp();
    for (Said each : lines) {
      Stamp known = each.stamp();
      if (each.user().equals(line.user()) && isSupersededBy(each.type(), known, line, stamp)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isSupersededBy(
      MessageType type, @Nullable Stamp known, Said line, @Nullable Stamp stamp) {
    if (stamp == null || known == null) {
      return false;
    }
    return switch (type) {
      case JOIN -> known.compareTo(stamp) > 0;
      case LEAVE -> line.type() == MessageType.LEAVE && known.equals(stamp);
      case TEXT, SIGNAL -> false;
    };
  }

  private static boolean isRepeatBehind(List<Said> lines, Said line) {
    if (line.type() != MessageType.TEXT) {
      return false;
    }
    for (Said each : lines) {
      if (each.idHash() == line.idHash()
          && each.type() == MessageType.TEXT
          && each.verdict() != LineVerdict.VOID
          && each.verdict() != LineVerdict.REFUSED) {
        return true;
      }
    }
    return false;
  }

  private List<Line.Message> lines(LaneEntry entry) {
    List<Line.Message> lines = new ArrayList<>();
    if (entry.isPage()) {
      return lines;
    }
    byte[] body = entry.body().clone();
    int begin = 0;
    while (begin < body.length) {
      int end = begin;
      while (end < body.length && body[end] != '\n') {
        end++;
      }
      lines.add((Line.Message) reader.read(body, begin, end));
      begin = end + 1;
    }
    return lines;
  }
}
