package dev.chatflow.lab.record;

import dev.chatflow.log.Place;
import dev.chatflow.record.Batch;
import dev.chatflow.record.Row;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Messages without end, as the default workload says them: 20 rooms on 4 shards, 1,000 users, each
 * in 4 of the rooms. One thread.
 */
final class Speech {

  static final int SHARDS = 4;
  static final int ROOMS = 20;
  static final int USERS = 1_000;

  private static final int ROOMS_OF_USER = 4;
  private static final int TEXTS = 50;
  private static final String WORDS =
      "the boat leaves early today so bring coffee and a map of harbour lights we met near bridge";

  private final double rowsPerMilli;
  private final long beginMillis;
  private long said;

  /**
   * Nothing is said yet.
   *
   * @param said how much was said before
   * @param beginMillis when the next one is accepted, in ms since the epoch
   * @param rate messages a second, by their times
   */
  Speech(long said, long beginMillis, int rate) {
    this.said = said;
    this.beginMillis = beginMillis - (long) (said * 1_000.0 / rate);
    this.rowsPerMilli = rate / 1_000.0;
  }

  static String room(long number) {
    return Long.toString(1 + number % ROOMS);
  }

  static String username(long number) {
    return "user" + number % USERS;
  }

  /** What is said next. */
  Batch next(int rows) {
    Map<Integer, List<Row>> ofShards = new TreeMap<>();
    Map<Integer, Place> places = new TreeMap<>();
    for (int i = 0; i < rows; i++) {
      Row row = row();
      int shard = Integer.parseInt(row.room()) % SHARDS;
      ofShards.computeIfAbsent(shard, _ -> new ArrayList<>()).add(row);
      places.put(shard, new Place(said, "bench/1/0", said, row.atMillis(), 0));
    }
    return new Batch(ofShards, places, List.of());
  }

  private Row row() {
    long number = said++;
    long user = number % USERS;
    long at = beginMillis + (long) (number / rowsPerMilli);
    int text = (int) (number % TEXTS);
    return new Row(
        Row.Kind.TEXT,
        room(user + number / USERS % ROOMS_OF_USER),
        Long.toString(user + 1),
        username(user),
        "server-1",
        at,
        Instant.ofEpochMilli(at).toString(),
        "m-" + number,
        WORDS.substring(0, WORDS.length() - text) + ".");
  }
}
