package dev.chatflow.record;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the rows of a transaction add to the counts: per minute, room and sender, and per sender and
 * room. One thread, one transaction.
 */
final class Counts {

  private static final long MINUTE_MILLIS = 60_000;

  /** A minute since the epoch, a room and a sender, by their numbers. */
  record Key(long minute, int room, int sender) {}

  /** A sender and a room, by their numbers. */
  record Pair(int sender, int room) {}

  /** How much of each kind. */
  static final class Sums {
    int texts;
    int joins;
    int leaves;
    int synthetic;
    int resends;
  }

  /** When the first and the last was accepted, and how many. */
  static final class Part {
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    int messages;
  }

  final Map<Key, Sums> activity = new LinkedHashMap<>();
  final Map<Pair, Part> participation = new LinkedHashMap<>();

  void count(Row row, int room, int sender) {
    Key key = new Key(Math.floorDiv(row.atMillis(), MINUTE_MILLIS), room, sender);
    Sums sums = activity.computeIfAbsent(key, _ -> new Sums());
    switch (row.kind()) {
      case TEXT, REMOVED -> sums.texts++;
      case JOIN -> sums.joins++;
      case LEAVE -> sums.leaves++;
      case SYNTHETIC_LEAVE -> sums.synthetic++;
      case RESEND -> sums.resends++;
    }
    if (row.isShown()) {
      Part part = participation.computeIfAbsent(new Pair(sender, room), _ -> new Part());
      part.first = Math.min(part.first, row.atMillis());
      part.last = Math.max(part.last, row.atMillis());
      part.messages++;
    }
  }
}
