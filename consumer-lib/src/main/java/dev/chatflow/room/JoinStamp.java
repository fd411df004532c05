package dev.chatflow.room;

import java.util.Comparator;

/**
 * The rank of a JOIN: of two JOINs of one user in one room the greater one holds the membership, on
 * every server.
 *
 * @param millis the server timestamp, in ms since the epoch
 * @param serverId the server that accepted it
 * @param session the connection that sent it
 */
public record JoinStamp(long millis, String serverId, String session)
    implements Comparable<JoinStamp> {

  private static final Comparator<JoinStamp> ORDER =
      Comparator.comparingLong(JoinStamp::millis)
          .thenComparing(JoinStamp::serverId)
          .thenComparing(JoinStamp::session);

  @Override
  public int compareTo(JoinStamp other) {
    return ORDER.compare(this, other);
  }
}
