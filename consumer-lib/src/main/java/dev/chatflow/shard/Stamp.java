package dev.chatflow.shard;

import java.util.Comparator;

/**
 * The rank of a connection's JOIN: of two JOINs of one user in one room the greater one holds the
 * membership, on every server. Every line of the connection bears it.
 *
 * @param time cluster time when the JOIN was taken, in ms; see {@link ClusterTime}
 * @param serverId the server that took it
 * @param session the connection that sent it
 */
public record Stamp(long time, String serverId, String session) implements Comparable<Stamp> {

  private static final Comparator<Stamp> ORDER =
      Comparator.comparingLong(Stamp::time)
          .thenComparing(Stamp::serverId)
          .thenComparing(Stamp::session);

  @Override
  public int compareTo(Stamp other) {
    return ORDER.compare(this, other);
  }
}
