package dev.chatflow.log;

import dev.chatflow.message.ChatMessage;
import dev.chatflow.message.Line;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The rank of a connection's JOIN: of two JOINs of one user in one room the greater one holds the
 * membership, on every server. Every line of the connection bears it.
 *
 * @param time cluster time when the JOIN was taken, in ms; see {@link ClusterTime}
 * @param serverId the server that took it
 * @param connectionId the connection that sent it
 */
public record Stamp(long time, String serverId, String connectionId) implements Comparable<Stamp> {

  private static final Comparator<Stamp> ORDER =
      Comparator.comparingLong(Stamp::time)
          .thenComparing(Stamp::serverId)
          .thenComparing(Stamp::connectionId);

  /** That of a line; null when it has none, as a post. */
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
