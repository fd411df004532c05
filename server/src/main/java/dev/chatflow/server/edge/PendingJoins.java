package dev.chatflow.server.edge;

import dev.chatflow.log.Stamp;
import dev.chatflow.room.CloseReason;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.UserDevice;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The connections whose JOIN was accepted and is not back, by room and user. They are superseded if
 * a greater JOIN is read first.
 *
 * <p>Messages that such a connection sent before that JOIN was read have it in their window, so
 * they are void. Later messages may not, so the connection is closed before any message is accepted
 * that names a later position.
 *
 * <p>Thread-safe. Bounded by the open connections.
 */
public final class PendingJoins {

  /** A waiting connection. Any thread calls. */
  public interface Candidate {

    /** Returns whether its JOIN is not back, and smaller than this one. */
    boolean isSupersededBy(Stamp other);

    void close(CloseReason reason);
  }

  private record Key(RoomId room, UserDevice who) {}

  private final Map<Key, List<Candidate>> pending = new ConcurrentHashMap<>();

  /** Adds a connection whose JOIN was accepted. */
  public void add(RoomId room, UserDevice who, Candidate candidate) {
    pending.merge(
        new Key(room, who),
        List.of(candidate),
        (known, one) ->
            known.contains(candidate)
                ? known
                : Stream.concat(known.stream(), one.stream()).toList());
  }

  /** Removes a connection whose JOIN is back, or which has ended. */
  public void remove(RoomId room, UserDevice who, Candidate candidate) {
    pending.computeIfPresent(
        new Key(room, who),
        (_, known) -> {
          List<Candidate> left = known.stream().filter(each -> !each.equals(candidate)).toList();
          return left.isEmpty() ? null : left;
        });
  }

  /** Closes the connections superseded by a JOIN that was read. */
  public void joinRead(RoomId room, UserDevice who, Stamp stamp) {
    List<Candidate> known = pending.get(new Key(room, who));
    if (known != null) {
      for (Candidate each : known) {
        if (each.isSupersededBy(stamp)) {
          each.close(CloseReason.COME_BACK);
        }
      }
    }
  }
}
