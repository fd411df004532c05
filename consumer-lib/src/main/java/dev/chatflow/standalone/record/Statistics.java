package dev.chatflow.standalone.record;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the records of all threads say together: figures, lists, counts. The field names of its
 * records are those of the JSON answers.
 *
 * <p>Any thread; every call works on what the records were at some moment during it.
 */
public final class Statistics {

  private static final int TOP = 5;
  private static final long ACTIVE_MILLIS = Duration.ofHours(1).toMillis();

  /** A user and how much it said. */
  record UserMessages(String user, long messages) {}

  /** A user and in how many rooms it was heard. */
  record UserRooms(String user, long rooms) {}

  /** A room and how much was said there. */
  public record RoomMessages(String roomId, long messages) {}

  /** A minute, by its beginning, and its messages. */
  record Minute(String minute, long messages) {}

  /**
   * The figures of {@code GET /api/stats}.
   *
   * @param activeUsers users heard within the last hour
   * @param busiestRoom null while nothing was recorded
   * @param mostActiveUser null while nothing was recorded
   */
  record Stats(
      String since,
      Records.Totals totals,
      int rooms,
      int users,
      long activeUsers,
      @Nullable RoomMessages busiestRoom,
      @Nullable UserMessages mostActiveUser,
      List<Minute> messagesPerMinute,
      List<UserMessages> topUsers,
      List<RoomMessages> topRooms,
      List<UserRooms> topUsersByRooms) {}

  /** What one sender said in one room. */
  public record SenderCount(
      String userId, String username, long joins, long texts, long leaves, long syntheticLeaves) {}

  /** What one room heard. */
  public record RoomCounts(String roomId, long recorded, List<SenderCount> senders) {}

  /** The counts of {@code GET /api/audit}. */
  public record Counts(
      String since, long recorded, long uncounted, long gaps, List<RoomCounts> rooms) {}

  private static final Comparator<String> BY_NUMBER_THEN_NAME =
      Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder());

  private final List<Records> all;
  private final InstantSource clock;
  private final Instant since;

  public Statistics(List<Records> all, InstantSource clock) {
    this.all = List.copyOf(all);
    this.clock = clock;
    this.since = clock.instant();
  }

  public Records.Totals totals() {
    List<Records.Totals> parts = all.stream().map(Records::totals).toList();
    return new Records.Totals(
        parts.stream().mapToLong(Records.Totals::recorded).sum(),
        parts.stream().mapToLong(Records.Totals::uncounted).sum(),
        parts.stream().mapToLong(Records.Totals::kept).sum(),
        parts.stream().mapToLong(Records.Totals::bytes).sum(),
        parts.stream().mapToLong(Records.Totals::dropped).sum());
  }

  public int senderCount() {
    return all.stream().mapToInt(Records::senderCount).sum();
  }

  public int roomCount() {
    return all.stream().mapToInt(Records::roomCount).sum();
  }

  /** Of every shard that had one. */
  public Map<Integer, Records.Gaps> gaps() {
    Map<Integer, Records.Gaps> sums = new TreeMap<>();
    all.forEach(records -> sums.putAll(records.gaps())); // a shard belongs to one thread
    return sums;
  }

  private long gapCount() {
    return gaps().values().stream().mapToLong(Records.Gaps::count).sum();
  }

  /** All rooms, numbered ones by number. */
  public List<RoomView> rooms() {
    return all.stream()
        .flatMap(records -> records.rooms().stream())
        .sorted(Comparator.comparing(RoomView::roomId, BY_NUMBER_THEN_NAME))
        .toList();
  }

  /** One room; null when nothing was recorded of it. */
  public @Nullable RoomView room(String roomId) {
    return all.stream()
        .map(records -> records.room(roomId))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private List<SenderView> senders() {
    return all.stream().flatMap(records -> records.senders().stream()).toList();
  }

  public Stats stats() {
    long now = clock.millis();
    Map<String, Long> messages = new HashMap<>();
    Map<String, Set<String>> rooms = new HashMap<>();
    Set<String> active = new HashSet<>();
    for (SenderView sender : senders()) {
      messages.merge(sender.username(), sender.messages(), Long::sum);
      rooms.computeIfAbsent(sender.username(), _ -> new HashSet<>()).add(sender.roomId());
      if (now - sender.lastMillis() < ACTIVE_MILLIS) {
        active.add(sender.username());
      }
    }
    Map<String, Long> roomCounts = new HashMap<>();
    rooms.forEach((user, in) -> roomCounts.put(user, (long) in.size()));
    Map<String, Long> roomMessages = new HashMap<>();
    rooms().forEach(room -> roomMessages.put(room.roomId(), room.recorded()));
    List<UserMessages> topUsers =
        top(messages).map(e -> new UserMessages(e.getKey(), e.getValue())).toList();
    List<RoomMessages> topRooms =
        top(roomMessages).map(e -> new RoomMessages(e.getKey(), e.getValue())).toList();
    return new Stats(
        since.toString(),
        totals(),
        roomMessages.size(),
        messages.size(),
        active.size(),
        topRooms.isEmpty() ? null : topRooms.getFirst(),
        topUsers.isEmpty() ? null : topUsers.getFirst(),
        minutes(now),
        topUsers,
        topRooms,
        top(roomCounts).map(e -> new UserRooms(e.getKey(), e.getValue())).toList());
  }

  /** The greatest first; equal ones by name. */
  private static Stream<Map.Entry<String, Long>> top(Map<String, Long> counts) {
    Comparator<Map.Entry<String, Long>> byCount = Map.Entry.comparingByValue();
    return counts.entrySet().stream()
        .sorted(byCount.reversed().thenComparing(Map.Entry.comparingByKey(BY_NUMBER_THEN_NAME)))
        .limit(TOP);
  }

  private List<Minute> minutes(long now) {
    long[] sums = new long[Minutes.BUCKETS];
    all.forEach(records -> records.addMinutes(sums, now));
    long first = Minutes.minute(now) - Minutes.BUCKETS + 1;
    return LongStream.range(0, Minutes.BUCKETS)
        .mapToObj(
            i -> new Minute(Instant.ofEpochSecond((first + i) * 60).toString(), sums[(int) i]))
        .toList();
  }

  /** Every room and sender, in the order of their names. */
  public Counts counts() {
    Map<String, List<SenderView>> byRoom = new HashMap<>();
    for (SenderView sender : senders()) {
      byRoom.computeIfAbsent(sender.roomId(), _ -> new ArrayList<>()).add(sender);
    }
    List<RoomCounts> rooms =
        byRoom.entrySet().stream()
            .sorted(Map.Entry.comparingByKey(BY_NUMBER_THEN_NAME))
            .map(entry -> countsOf(entry.getKey(), entry.getValue()))
            .toList();
    Records.Totals totals = totals();
    return new Counts(since.toString(), totals.recorded(), totals.uncounted(), gapCount(), rooms);
  }

  private static RoomCounts countsOf(String roomId, List<SenderView> senders) {
    long recorded = senders.stream().mapToLong(SenderView::messages).sum();
    return new RoomCounts(
        roomId,
        recorded,
        senders.stream()
            .sorted(
                Comparator.comparing(SenderView::userId, BY_NUMBER_THEN_NAME)
                    .thenComparing(SenderView::username))
            .map(Statistics::count)
            .toList());
  }

  private static SenderCount count(SenderView sender) {
    return new SenderCount(
        sender.userId(),
        sender.username(),
        sender.joins(),
        sender.texts(),
        sender.leaves(),
        sender.syntheticLeaves());
  }

  /** The rooms of a user with what the user said there; empty when the name is unknown. */
  public List<RoomMessages> roomsOf(String username) {
    return all.stream()
        .flatMap(records -> records.roomsOf(username).entrySet().stream())
        .sorted(Map.Entry.comparingByKey(BY_NUMBER_THEN_NAME))
        .map(entry -> new RoomMessages(entry.getKey(), entry.getValue()))
        .toList();
  }

  /** Kept records of a room, oldest first. */
  public List<Kept> messagesOfRoom(String roomId, Range range) {
    return all.stream().flatMap(records -> records.ofRoom(roomId, range).stream()).toList();
  }

  /** Kept records of a user, oldest first: within a room in its order. */
  public List<Kept> messagesOfUser(String username, Range range) {
    List<Kept> found =
        all.stream()
            .flatMap(records -> records.ofUser(username, range).stream())
            .sorted((a, b) -> Long.compare(a.arrivalNanos() - b.arrivalNanos(), 0))
            .toList();
    return found.subList(Math.max(0, found.size() - range.limit()), found.size());
  }
}
