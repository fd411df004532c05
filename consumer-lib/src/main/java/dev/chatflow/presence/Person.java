package dev.chatflow.presence;

import dev.chatflow.broker.Lane;
import dev.chatflow.log.Stamp;

/**
 * A member of a room, on whatever server.
 *
 * @param lane by which the JOIN came: the server, and its boot
 * @param connectionId the connection that sent the JOIN
 * @param stamp the JOIN's cluster time, in ms
 * @param joinedMillis the JOIN's server timestamp, in ms since the epoch
 */
public record Person(
    String userId, String username, Lane lane, String connectionId, long stamp, long joinedMillis) {

  /** The rank of the JOIN. */
  public Stamp rank() {
    return new Stamp(stamp, lane.serverId(), connectionId);
  }
}
