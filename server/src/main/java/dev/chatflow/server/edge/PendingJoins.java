package dev.chatflow.server.edge;

import dev.chatflow.log.Stamp;
import dev.chatflow.room.CloseReason;
import dev.chatflow.room.RoomId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The connections whose JOIN was taken and is not back, by room and user: a greater JOIN that is
 * read meanwhile has beaten them.
 *
 * <p>What such a connection sent before that JOIN was read has it in its window, and is void. What
 * it would send later need not: so it is closed before anything is taken that names a later place.
 *
 * <p>Any thread. Bounded by the open connections.
 */
public final class PendingJoins {

  /** A connection that waits. Any thread calls. */
  public interface Candidate {

    /** Whether its JOIN is not back, and smaller than this one. */
    boolean isSupersededBy(Stamp other);

    void close(CloseReason reason);
  }

  private record Key(RoomId room, String userId) {}

  private final Map<Key, List<Candidate>> pending = new ConcurrentHashMap<>();

  /** A JOIN was taken. */
  public void add(RoomId room, String userId, Candidate candidate) {
    pending.merge(
        new Key(room, userId),
        List.of(candidate),
        (known, one) ->
            known.contains(candidate)
                ? known
                : Stream.concat(known.stream(), one.stream()).toList());
  }

  /** It is back, or its connection has ended. */
  public void remove(RoomId room, String userId, Candidate candidate) {
    pending.computeIfPresent(
        new Key(room, userId),
        (_, known) -> {
          List<Candidate> left = known.stream().filter(each -> !each.equals(candidate)).toList();
          return left.isEmpty() ? null : left;
        });
  }

  /** A JOIN was read that holds the membership of its user. */
  public void joinRead(RoomId room, String userId, Stamp stamp) {
    List<Candidate> known = pending.get(new Key(room, userId));
    if (known != null) {
      for (Candidate each : known) {
        if (each.isSupersededBy(stamp)) {
          each.close(CloseReason.COME_BACK);
        }
      }
    }
  }
}
