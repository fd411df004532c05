package dev.chatflow.log;

import dev.chatflow.message.ChatMessage;
import dev.chatflow.message.Line;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The rank of a connection's JOIN: of two JOINs of a user in a room, the greater one holds the
 * membership on every server. Every line of the connection carries it.
 *
 * @param time cluster time when the JOIN was accepted, in ms; see {@link ClusterTime}
 * @param serverId the server that accepted it
 * @param connectionId the connection that sent it
 */
public record Stamp(long time, String serverId, String connectionId) implements Comparable<Stamp> {

  private static final Comparator<Stamp> ORDER =
      Comparator.comparingLong(Stamp::time)
          .thenComparing(Stamp::serverId)
          .thenComparing(Stamp::connectionId);

  /** Returns the stamp of a line; null if it has none, such as a post. */
  public static @Nullable Stamp of(Line.Message line) {
    String connectionId = line.connectionId();
    return connectionId == null || line.stamp() == ChatMessage.Origin.NO_STAMP
        ? null
        : new Stamp(line.stamp(), line.serverId(), connectionId);
  }

  @Override
  public int compareTo(Stamp other) {
    return ORDER.compare(this, other);
  }
}
