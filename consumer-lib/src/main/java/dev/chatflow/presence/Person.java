package dev.chatflow.presence;

import dev.chatflow.broker.Lane;
import dev.chatflow.log.Stamp;
import dev.chatflow.room.UserDevice;
import org.jspecify.annotations.Nullable;

/**
 * A member of a room on any server.
 *
 * @param lane the lane of the JOIN: server and boot
 * @param connectionId the connection that sent the JOIN
 * @param stamp the JOIN's cluster time, in ms
 * @param joinedMillis the JOIN's server timestamp, in ms since the epoch
 * @param data the JSON object that the JOIN carried, or null
 */
public record Person(
    UserDevice who,
    String username,
    Lane lane,
    String connectionId,
    long stamp,
    long joinedMillis,
    @Nullable String data) {

  /** Returns the rank of the JOIN. */
  public Stamp rank() {
    return new Stamp(stamp, lane.serverId(), connectionId);
  }
}
