package dev.chatflow.record;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The increments of a transaction's rows: per minute, room and sender, and per sender and room. One
 * thread, one transaction.
 */
final class Counts {

  private static final long MINUTE_MILLIS = 60_000;

  /** A minute since the epoch with the numbers of a room and a sender. */
  record Key(long minute, int room, int sender) {}

  /** The numbers of a sender and a room. */
  record Pair(int sender, int room) {}

  /** Number of messages by kind. */
  static final class Sums {
    int texts;
    int joins;
    int leaves;
    int synthetic;
    int resends;
  }

  /** Times of the first and last message, and the number of messages. */
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
