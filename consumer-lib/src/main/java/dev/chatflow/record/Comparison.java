package dev.chatflow.record;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Compares the messages that a load client sent with those that the standalone consumer recorded,
 * by room and sender.
 *
 * <p>The recorded messages must equal the sent ones. If a client sent messages again after a lost
 * connection, there may be that many more. LEAVEs made by servers are not counted.
 */
final class Comparison {

  static final String HEADER = "room,userId,username,joins,texts,leaves,resent,refused";

  private static final int COLUMNS = 8;

  /** A sender in a room. */
  record Key(String room, String userId, String username) {
    @Override
    public String toString() {
      return "room " + room + ", user " + userId + " (" + username + ")";
    }
  }

  /**
   * Number of messages by kind.
   *
   * @param slack maximum number of additional messages, because that many were sent again
   */
  record Counts(long joins, long texts, long leaves, long slack) {
    static final Counts NONE = new Counts(0, 0, 0, 0);

    long messages() {
      return joins + texts + leaves;
    }

    /** Returns whether {@code recorded} is a valid result of sending these. */
    boolean leadTo(Counts recorded) {
      long more = recorded.texts - texts;
      return joins == recorded.joins && leaves == recorded.leaves && more >= 0 && more <= slack;
    }
  }

  /**
   * The outcome.
   *
   * @param differences descriptions, one per sender
   */
  record Result(long sent, long recorded, int senders, List<String> differences) {
    boolean isEqual() {
      return differences.isEmpty();
    }
  }

  private Comparison() {}

  static Result of(Map<Key, Counts> sent, Analytics.Counts counted) {
    Map<Key, Counts> recorded = recorded(counted);
    List<String> differences = new ArrayList<>();
    sent.forEach((key, counts) -> {
      Counts found = recorded.getOrDefault(key, Counts.NONE);
      if (!counts.leadTo(found)) {
        differences.add(key + ": sent " + shown(counts) + ", recorded " + shown(found));
      }
    });
    recorded.forEach((key, counts) -> {
      if (!sent.containsKey(key)) {
        differences.add(key + ": sent nothing, recorded " + shown(counts));
      }
    });
    long sum = sent.values().stream().mapToLong(Counts::messages).sum();
    return new Result(sum, counted.recorded(), sent.size(), differences);
  }

  private static String shown(Counts counts) {
    return "%d JOIN %d TEXT %d LEAVE".formatted(counts.joins(), counts.texts(), counts.leaves());
  }

  private static Map<Key, Counts> recorded(Analytics.Counts counted) {
    Map<Key, Counts> counts = new TreeMap<>(Comparator.comparing(Key::toString));
    for (Analytics.RoomCounts room : counted.rooms()) {
      for (Analytics.SenderCount sender : room.senders()) {
        counts.put(
            new Key(room.roomId(), sender.userId(), sender.username()),
            new Counts(sender.joins(), sender.texts(), sender.leaves(), 0));
      }
    }
    return counts;
  }

  /** Reads a client's file; messages that the server rejected are left out. */
  static Map<Key, Counts> sent(List<String> lines) {
    if (lines.isEmpty() || !lines.getFirst().equals(HEADER)) {
      throw new IllegalArgumentException("not a file of senders: its first line is not " + HEADER);
    }
    Map<Key, Counts> sent = new TreeMap<>(Comparator.comparing(Key::toString));
    for (String line : lines.subList(1, lines.size())) {
      String[] fields = line.split(",", -1);
      if (fields.length != COLUMNS) {
        throw new IllegalArgumentException("not a line of senders: " + line);
      }
      long texts = Long.parseLong(fields[4]) - Long.parseLong(fields[7]);
      sent.put(
          new Key(fields[0], fields[1], fields[2]),
          new Counts(
              Long.parseLong(fields[3]),
              texts,
              Long.parseLong(fields[5]),
              Long.parseLong(fields[6])));
    }
    return sent;
  }
}
