package dev.chatflow.server.lane;

import dev.chatflow.broker.Lane;
import dev.chatflow.message.MessageType;
import dev.chatflow.message.line.Line;
import dev.chatflow.message.line.LineReader;
import dev.chatflow.shard.Stamp;
import dev.chatflow.shard.window.WindowBounds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a whole log means, worked out naively: the window of each entry is looked through anew, by
 * no code of the product but the line's decoder.
 */
final class LogFold {

  enum Worth {
    COPY,
    LATE,
    ON_TIME
  }

  /** A line of an entry that is on time. */
  record Said(
      MessageType type,
      int user,
      @Nullable Stamp stamp,
      long idHash,
      boolean isVoid,
      boolean isRepeat) {
    boolean isShown() {
      return !isVoid && !isRepeat;
    }
  }

  record Judged(LaneEntry entry, Worth worth, List<Said> lines) {}

  private final WindowBounds bounds;
  private final List<Judged> judged = new ArrayList<>();
  private final Map<Lane, Long> high = new HashMap<>();

  LogFold(WindowBounds bounds) {
    this.bounds = bounds;
  }

  /** The next entry of the log. */
  Judged add(LaneEntry entry) {
    List<Judged> window = window();
    Worth worth = worth(entry, window);
    high.merge(entry.lane(), entry.number(), Math::max);
    List<Said> lines = new ArrayList<>();
    Judged result = new Judged(entry, worth, lines);
    if (worth == Worth.ON_TIME) {
      for (Line.Message line : lines(entry)) {
        lines.add(said(line, window, lines));
      }
    }
    judged.add(result);
    return result;
  }

  /** The entries before the next one that keep both bounds. */
  private List<Judged> window() {
    int from = judged.size();
    long bytes = 0;
    while (from > 0
        && judged.size() - from < bounds.entries()
        && bytes + judged.get(from - 1).entry().body().length <= bounds.bytes()) {
      bytes += judged.get(--from).entry().body().length;
    }
    return judged.subList(from, judged.size());
  }

  private Worth worth(LaneEntry entry, List<Judged> window) {
    if (entry.number() <= high.getOrDefault(entry.lane(), 0L)) {
      return Worth.COPY;
    }
    if (entry.read() == 0) {
      return Worth.ON_TIME;
    }
    boolean isThere =
        window.stream()
            .anyMatch(each ->
                each.entry().lane().equals(entry.lane())
                    && each.entry().number() == entry.read()
                    && each.worth() != Worth.COPY);
    boolean isBelowLate =
        judged.stream()
            .anyMatch(each ->
                each.entry().lane().equals(entry.lane())
                    && each.worth() == Worth.LATE
                    && !each.entry().isBeacon()
                    && entry.read() < each.entry().number());
    return isThere && !isBelowLate ? Worth.ON_TIME : Worth.LATE;
  }

  private static Said said(Line.Message line, List<Judged> window, List<Said> before) {
    List<Said> known = new ArrayList<>();
    window.forEach(each -> known.addAll(each.lines()));
    known.addAll(before);
    Stamp stamp =
        line.session() == null
            ? null
            : new Stamp(line.stamp(), line.serverId(), String.valueOf(line.session()));
    boolean isVoid = false;
    boolean isRepeat = false;
    for (Said each : known) {
      if (each.user() == line.userId() && stamp != null && each.stamp() != null) {
        isVoid |= each.type() == MessageType.JOIN && each.stamp().compareTo(stamp) > 0;
        isVoid |=
            line.type() == MessageType.LEAVE
                && each.type() == MessageType.LEAVE
                && each.stamp().equals(stamp);
      }
      isRepeat |=
          line.type() == MessageType.TEXT
              && each.type() == MessageType.TEXT
              && !each.isVoid()
              && each.idHash() == line.idHash();
    }
    long id = line.type() == MessageType.TEXT ? line.idHash() : 0;
    return new Said(line.type(), line.userId(), stamp, id, isVoid, isRepeat && !isVoid);
  }

  private static List<Line.Message> lines(LaneEntry entry) {
    List<Line.Message> lines = new ArrayList<>();
    byte[] body = entry.body().clone();
    int from = 0;
    while (from < body.length) {
      int to = from;
      while (to < body.length && body[to] != '\n') {
        to++;
      }
      lines.add((Line.Message) new LineReader().read(body, from, to));
      from = to + 1;
    }
    return lines;
  }
}
