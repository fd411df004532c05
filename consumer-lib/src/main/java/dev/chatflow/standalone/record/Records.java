package dev.chatflow.standalone.record;

import dev.chatflow.message.line.Line;
import dev.chatflow.room.Shard;
import dev.chatflow.room.log.Payload;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What one consumer thread has recorded: counts of every room and sender, and the messages
 * themselves as far as their bytes are allowed, in the order in which they came.
 *
 * <p>One thread records, any asks; each call holds the lock for a short time.
 */
public final class Records implements Recorder {

  /**
   * How much is kept.
   *
   * @param bytes of records in all; beyond it the oldest go
   * @param roomBytes of records of one room; beyond it the room's oldest go
   * @param senders pairs of room and sender; a message of a further one is only counted as such
   */
  public record Bounds(long bytes, long roomBytes, int senders) {}

  /**
   * What there is in all.
   *
   * @param recorded every message that came
   * @param uncounted those of them that found no place among the senders
   * @param kept those that can still be read
   * @param dropped those that had to go
   */
  public record Totals(long recorded, long uncounted, long kept, long bytes, long dropped) {}

  /** Gaps of one shard: how many, and when the last was found, in ms since the epoch. */
  public record Gaps(long count, long lastMillis) {}

  private final Bounds bounds;
  private final InstantSource clock;
  private final Map<String, RoomRecords> rooms = new HashMap<>();
  private final Map<String, UserRecords> users = new HashMap<>();
  private final Map<Integer, Gaps> gaps = new TreeMap<>();
  private final Minutes minutes = new Minutes();
  private @Nullable Entry oldest;
  private @Nullable Entry newest;
  private int senders;
  private long recorded;
  private long uncounted;
  private long kept;
  private long bytes;
  private long dropped;

  public Records(Bounds bounds, InstantSource clock) {
    this.bounds = bounds;
    this.clock = clock;
  }

  @Override
  public synchronized void recorded(Line.Message message) {
    long now = clock.millis();
    recorded++;
    minutes.count(message.serverMillis(), now);
    String username = message.username();
    RoomRecords.SenderKey key = new RoomRecords.SenderKey(message.userId(), username);
    RoomRecords room = room(message.room().value(), key);
    if (room == null) {
      uncounted++;
      return;
    }
    UserRecords user = users.computeIfAbsent(username, _ -> new UserRecords());
    room.senders.computeIfAbsent(key, _ -> counts(room, user)).count(message, now);
    room.recorded++;
    keep(message, room, user);
  }

  private static SenderCounts counts(RoomRecords room, UserRecords user) {
    SenderCounts counts = new SenderCounts();
    user.rooms.add(new UserRecords.InRoom(room.roomId, counts));
    return counts;
  }

  /** The room, with a place for the sender; null when there is none left. */
  private @Nullable RoomRecords room(String roomId, RoomRecords.SenderKey sender) {
    RoomRecords room = rooms.get(roomId);
    if (room != null && room.senders.containsKey(sender)) {
      return room;
    }
    if (senders >= bounds.senders()) {
      return null;
    }
    senders++;
    return rooms.computeIfAbsent(roomId, RoomRecords::new);
  }

  private void keep(Line.Message message, RoomRecords room, UserRecords user) {
    Payload payload = message.payload();
    int end = payload.offset() + payload.length();
    byte[] json = Arrays.copyOfRange(payload.bytes(), payload.offset(), end);
    Entry entry =
        new Entry(json, room.recorded, message.serverMillis(), System.nanoTime(), room, user);
    append(entry);
    room.add(entry);
    user.add(entry);
    while (room.bytes > bounds.roomBytes() && room.oldest != null) {
      drop(room.oldest);
    }
    while (bytes > bounds.bytes() && oldest != null) {
      drop(oldest);
    }
  }

  private void append(Entry entry) {
    entry.older = newest;
    if (newest == null) {
      oldest = entry;
    } else {
      newest.newer = entry;
    }
    newest = entry;
    kept++;
    bytes += entry.bytes();
  }

  /** Takes out the oldest record of a room. */
  private void drop(Entry entry) {
    Entry older = entry.older;
    Entry newer = entry.newer;
    if (older == null) {
      oldest = newer;
    } else {
      older.newer = newer;
    }
    if (newer == null) {
      newest = older;
    } else {
      newer.older = older;
    }
    entry.room.dropOldest();
    entry.user.remove(entry);
    kept--;
    dropped++;
    bytes -= entry.bytes();
  }

  @Override
  public synchronized void gap(Shard shard) {
    long before = gaps.getOrDefault(shard.index(), new Gaps(0, 0)).count();
    gaps.put(shard.index(), new Gaps(before + 1, clock.millis()));
  }

  synchronized Map<Integer, Gaps> gaps() {
    return Map.copyOf(gaps);
  }

  synchronized Totals totals() {
    return new Totals(recorded, uncounted, kept, bytes, dropped);
  }

  synchronized int senderCount() {
    return senders;
  }

  synchronized int roomCount() {
    return rooms.size();
  }

  synchronized List<RoomView> rooms() {
    return rooms.values().stream().map(Records::view).toList();
  }

  /** One room, or null when nothing was recorded of it. */
  synchronized @Nullable RoomView room(String roomId) {
    RoomRecords room = rooms.get(roomId);
    return room == null ? null : view(room);
  }

  /** Messages of a user by room; empty when nothing was recorded of it. */
  synchronized Map<String, Long> roomsOf(String username) {
    UserRecords user = users.get(username);
    Map<String, Long> counts = new HashMap<>();
    if (user != null) {
      user.rooms.forEach(in -> counts.merge(in.roomId(), in.counts().messages(), Long::sum));
    }
    return counts;
  }

  private static RoomView view(RoomRecords room) {
    return new RoomView(
        room.roomId, room.recorded, room.recorded - room.dropped, room.bytes, room.senders.size());
  }

  synchronized List<SenderView> senders() {
    List<SenderView> views = new ArrayList<>(senders);
    for (RoomRecords room : rooms.values()) {
      room.senders.forEach((key, counts) -> views.add(counts.view(room.roomId, key)));
    }
    return views;
  }

  synchronized void addMinutes(long[] sums, long nowMillis) {
    minutes.addTo(sums, nowMillis);
  }

  /** Records of a room, oldest first. */
  synchronized List<Kept> ofRoom(String roomId, Range range) {
    RoomRecords room = rooms.get(roomId);
    return room == null ? List.of() : select(room.oldest, entry -> entry.newerOfRoom, range);
  }

  /** Records of a user, oldest first. */
  synchronized List<Kept> ofUser(String username, Range range) {
    UserRecords user = users.get(username);
    return user == null ? List.of() : select(user.oldest, entry -> entry.newerOfUser, range);
  }

  private static List<Kept> select(
      @Nullable Entry first, Function<Entry, @Nullable Entry> next, Range range) {
    Deque<Kept> found = new ArrayDeque<>();
    for (Entry entry = first; entry != null; entry = next.apply(entry)) {
      if (!range.holds(entry)) {
        continue;
      }
      if (found.size() == range.limit()) {
        if (range.isForward()) {
          break;
        }
        found.removeFirst();
      }
      found.addLast(new Kept(entry.position, entry.serverMillis, entry.arrivalNanos, entry.json));
    }
    return List.copyOf(found);
  }
}
