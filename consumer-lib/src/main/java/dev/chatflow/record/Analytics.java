package dev.chatflow.record;

import dev.chatflow.message.Rfc3339;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Aggregated figures of the message archive, computed from its counts. The field names of its
 * records are the field names of the answers. Thread-safe.
 */
public final class Analytics {

  private static final long MINUTE_MILLIS = 60_000;
  private static final long MINUTE_SECONDS = 60;
  private static final String MESSAGES = "a.texts + a.joins + a.leaves + a.synthetic";

  /** Formats a time as servers write it. */
  private static String time(long millis) {
    return Rfc3339.text(millis);
  }

  /** A user's messages in one room, with the times of the first and last. */
  public record RoomPart(String roomId, long messages, String first, String last) {}

  /** A user's messages in all rooms. */
  public record UserPart(
      String userId, String username, long rooms, long messages, String first, String last) {}

  /** The archived messages of a room. */
  public record RoomSum(String roomId, long recorded, long senders, String first, String last) {}

  /** A user and the number of their messages. */
  public record UserMessages(String user, long messages) {}

  /** A user and the number of rooms they wrote in. */
  public record UserRooms(String user, long rooms) {}

  /** A room and its number of messages. */
  public record RoomMessages(String roomId, long messages) {}

  /** A room and its number of senders. */
  public record RoomUsers(String roomId, long users) {}

  /** The users who wrote in a period. */
  public record Active(long users, List<UserMessages> mostActive) {}

  /** The start of a step and the number of messages in it. */
  public record Step(String at, long messages) {}

  /** The messages of one sender in one room. */
  public record SenderCount(
      String userId, String username, long joins, long texts, long leaves, long syntheticLeaves) {}

  /** The messages of one room. */
  public record RoomCounts(String roomId, long recorded, List<SenderCount> senders) {}

  /** The counts of {@code GET /api/audit}. */
  public record Counts(String since, long recorded, long gaps, List<RoomCounts> rooms) {}

  /** A possible loss of messages after a position of a shard. */
  public record Gap(int shard, String at, long position, String why) {}

  private record Sum(String room, SenderCount sender) {}

  private record At(long step, long messages) {}

  private final ArchiveQueries questions;

  public Analytics(ArchiveQueries questions) {
    this.questions = questions;
  }

  /** Returns when the archive was created, in ms since the epoch; now if it does not exist yet. */
  public long sinceMillis() throws StoreException {
    List<Long> since = questions.ask("SELECT since FROM meta", row -> row.getLong(1));
    return since.isEmpty() ? questions.now() : since.getFirst();
  }

  // --- rooms and users

  public List<RoomSum> rooms() throws StoreException {
    return questions.ask(
        "SELECT r.name, sum(p.messages), count(*), min(p.first), max(p.last) FROM participation p"
            + " JOIN room r ON r.id = p.room GROUP BY r.name ORDER BY length(r.name), r.name",
        row ->
            new RoomSum(
                row.getString(1),
                row.getLong(2),
                row.getLong(3),
                time(row.getLong(4)),
                time(row.getLong(5))));
  }

  /** Returns the number of archived messages of a room. */
  public long recorded(String room) throws StoreException {
    return first(
        "SELECT coalesce(sum(messages), 0) FROM participation"
            + " WHERE room = (SELECT id FROM room WHERE name = ?)",
        room);
  }

  /** Returns the rooms of all users who had this name. */
  public List<RoomPart> roomsOf(String username) throws StoreException {
    return questions.ask(
        "SELECT r.name, sum(p.messages), min(p.first), max(p.last) FROM participation p JOIN room r"
            + " ON r.id = p.room WHERE p.sender IN (SELECT id FROM sender WHERE username = ?)"
            + " GROUP BY r.name ORDER BY length(r.name), r.name",
        row ->
            new RoomPart(
                row.getString(1), row.getLong(2), time(row.getLong(3)), time(row.getLong(4))),
        username);
  }

  /** Returns the users with the most messages, with their totals. */
  public List<UserPart> participation(int limit) throws StoreException {
    return questions.ask(
        "SELECT s.user_id, s.username, p.rooms, p.messages, p.first, p.last FROM (SELECT sender,"
            + " count(*) AS rooms, sum(messages) AS messages, min(first) AS first, max(last) AS"
            + " last FROM participation GROUP BY sender ORDER BY messages DESC, sender LIMIT ?) p"
            + " JOIN sender s ON s.id = p.sender ORDER BY p.messages DESC, p.sender",
        row ->
            new UserPart(
                row.getString(1),
                row.getString(2),
                row.getLong(3),
                row.getLong(4),
                time(row.getLong(5)),
                time(row.getLong(6))),
        limit);
  }

  // --- periods, in whole minutes

  /** Returns the users who wrote from the minute of one time to before the minute of the other. */
  public Active activeUsers(long sinceMillis, long untilMillis, int limit) throws StoreException {
    long users =
        first(
            "SELECT count(DISTINCT sender) FROM activity WHERE minute >= ? AND minute < ?",
            minute(sinceMillis),
            minuteUp(untilMillis));
    return new Active(users, mostActive(sinceMillis, untilMillis, limit));
  }

  /** Returns the users with the most messages in a period. */
  public List<UserMessages> mostActive(long sinceMillis, long untilMillis, int limit)
      throws StoreException {
    return questions.ask(
        "SELECT s.username, w.messages FROM (SELECT a.sender, sum("
            + MESSAGES
            + ") AS messages FROM activity a WHERE a.minute >= ? AND a.minute < ?"
            + " GROUP BY a.sender ORDER BY messages DESC, a.sender LIMIT ?) w"
            + " JOIN sender s ON s.id = w.sender ORDER BY w.messages DESC, w.sender",
        row -> new UserMessages(row.getString(1), row.getLong(2)),
        minute(sinceMillis),
        minuteUp(untilMillis),
        limit);
  }

  /** Returns the rooms with the most messages in a period. */
  public List<RoomMessages> busiest(long sinceMillis, long untilMillis, int limit)
      throws StoreException {
    return questions.ask(
        "SELECT r.name, w.messages FROM (SELECT a.room, sum("
            + MESSAGES
            + ") AS messages FROM activity a WHERE a.minute >= ? AND a.minute < ?"
            + " GROUP BY a.room ORDER BY messages DESC, a.room LIMIT ?) w"
            + " JOIN room r ON r.id = w.room ORDER BY w.messages DESC, w.room",
        row -> new RoomMessages(row.getString(1), row.getLong(2)),
        minute(sinceMillis),
        minuteUp(untilMillis),
        limit);
  }

  /**
   * Returns the messages in each step of a period, without empty steps.
   *
   * @param stepSeconds below 60 the messages are counted, otherwise the counts per minute are added
   *     up
   * @param room empty for all
   * @param user empty for all
   */
  public List<Step> rate(Window window, long stepSeconds, String room, String user)
      throws StoreException {
    List<Object> parameters = new ArrayList<>();
    StringBuilder sql = new StringBuilder();
    if (stepSeconds < MINUTE_SECONDS) {
      long stepMillis = stepSeconds * 1_000;
      sql.append("SELECT a.at / ").append(stepMillis).append(", count(*) FROM message a");
      sql.append(" WHERE a.at >= ? AND a.at < ?");
      parameters.add(window.sinceMillis());
      parameters.add(window.untilMillis());
    } else {
      sql.append("SELECT a.minute / ").append(stepSeconds / MINUTE_SECONDS);
      sql.append(", sum(").append(MESSAGES).append(") FROM activity a");
      sql.append(" WHERE a.minute >= ? AND a.minute < ?");
      parameters.add(minute(window.sinceMillis()));
      parameters.add(minuteUp(window.untilMillis()));
    }
    if (!room.isEmpty()) {
      sql.append(" AND a.room = (SELECT id FROM room WHERE name = ?)");
      parameters.add(room);
    }
    if (!user.isEmpty()) {
      sql.append(" AND a.sender IN (SELECT id FROM sender WHERE username = ?)");
      parameters.add(user);
    }
    sql.append(" GROUP BY 1 ORDER BY 1");
    return questions
        .ask(sql.toString(), row -> new At(row.getLong(1), row.getLong(2)), parameters.toArray())
        .stream()
        .map(each -> new Step(time(each.step() * stepSeconds * 1_000), each.messages()))
        .toList();
  }

  /** A period from one time to before another, in ms since the epoch. */
  public record Window(long sinceMillis, long untilMillis) {}

  private static long minute(long millis) {
    return Math.floorDiv(millis, MINUTE_MILLIS);
  }

  private static long minuteUp(long millis) {
    return Math.ceilDiv(millis, MINUTE_MILLIS);
  }

  // --- rankings

  public List<UserMessages> topUsers(int limit) throws StoreException {
    return participation(limit).stream()
        .map(user -> new UserMessages(user.username(), user.messages()))
        .toList();
  }

  public List<UserRooms> topUsersByRooms(int limit) throws StoreException {
    return questions.ask(
        "SELECT s.username, p.rooms FROM (SELECT sender, count(*) AS rooms FROM"
            + " participation GROUP BY sender ORDER BY rooms DESC, sender LIMIT ?) p"
            + " JOIN sender s ON s.id = p.sender ORDER BY p.rooms DESC, p.sender",
        row -> new UserRooms(row.getString(1), row.getLong(2)),
        limit);
  }

  public List<RoomMessages> topRooms(int limit) throws StoreException {
    return questions.ask(
        "SELECT r.name, p.messages FROM (SELECT room, sum(messages) AS messages FROM participation"
            + " GROUP BY room ORDER BY messages DESC, room LIMIT ?) p"
            + " JOIN room r ON r.id = p.room ORDER BY p.messages DESC, p.room",
        row -> new RoomMessages(row.getString(1), row.getLong(2)),
        limit);
  }

  public List<RoomUsers> topRoomsByUsers(int limit) throws StoreException {
    return questions.ask(
        "SELECT r.name, p.users FROM (SELECT room, count(*) AS users FROM participation"
            + " GROUP BY room ORDER BY users DESC, room LIMIT ?) p"
            + " JOIN room r ON r.id = p.room ORDER BY p.users DESC, p.room",
        row -> new RoomUsers(row.getString(1), row.getLong(2)),
        limit);
  }

  // --- totals

  public long messages() throws StoreException {
    return first("SELECT coalesce(sum(messages), 0) FROM participation");
  }

  /** Returns the messages of a period, in whole minutes. */
  public long messages(long sinceMillis, long untilMillis) throws StoreException {
    return first(
        "SELECT coalesce(sum("
            + MESSAGES
            + "), 0) FROM activity a WHERE a.minute >= ? AND a.minute < ?",
        minute(sinceMillis),
        minuteUp(untilMillis));
  }

  public long userCount() throws StoreException {
    return first("SELECT count(DISTINCT sender) FROM participation");
  }

  public long roomCount() throws StoreException {
    return first("SELECT count(DISTINCT room) FROM participation");
  }

  public List<Gap> gaps() throws StoreException {
    return questions.ask(
        "SELECT shard, at, position, why FROM gap ORDER BY at DESC LIMIT 100",
        row -> new Gap(row.getInt(1), time(row.getLong(2)), row.getLong(3), row.getString(4)));
  }

  /** Returns every room and sender, sorted by name. */
  public Counts counts() throws StoreException {
    Map<String, List<SenderCount>> rooms = new TreeMap<>(BY_NUMBER_THEN_NAME);
    for (Sum sum :
        questions.ask(
            "SELECT r.name, s.user_id, s.username, sum(a.joins), sum(a.texts), sum(a.leaves),"
                + " sum(a.synthetic) FROM activity a JOIN room r ON r.id = a.room JOIN sender s ON"
                + " s.id = a.sender GROUP BY r.name, s.user_id, s.username"
                + " ORDER BY length(s.user_id), s.user_id, s.username",
            row ->
                new Sum(
                    row.getString(1),
                    new SenderCount(
                        row.getString(2),
                        row.getString(3),
                        row.getLong(4),
                        row.getLong(5),
                        row.getLong(6),
                        row.getLong(7))))) {
      rooms.computeIfAbsent(sum.room(), _ -> new ArrayList<>()).add(sum.sender());
    }
    return new Counts(
        time(sinceMillis()),
        messages(),
        first("SELECT count(*) FROM gap"),
        rooms.entrySet().stream().map(Analytics::roomCounts).toList());
  }

  private static final Comparator<String> BY_NUMBER_THEN_NAME =
      Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder());

  private static RoomCounts roomCounts(Map.Entry<String, List<SenderCount>> room) {
    long recorded =
        room.getValue().stream()
            .mapToLong(s -> s.joins() + s.texts() + s.leaves() + s.syntheticLeaves())
            .sum();
    return new RoomCounts(room.getKey(), recorded, room.getValue());
  }

  private long first(String sql, Object... parameters) throws StoreException {
    return questions.ask(sql, row -> row.getLong(1), parameters).getFirst();
  }
}
