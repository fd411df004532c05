package dev.chatflow.server.publish;

import dev.chatflow.broker.Lane;
import dev.chatflow.log.PresenceHeaders;
import dev.chatflow.message.MessageType;
import dev.chatflow.room.RoomId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One entry of a lane: the same at every attempt to publish it.
 *
 * @param number 1, 2, 3 … in its lane
 * @param read the greatest number of its lane that all its lines may name; see {@link WaitingLine}
 * @param timeMillis cluster time when it was built
 * @param presenceHeaders its presence headers
 * @param body its lines, or a page of members; empty for a beacon
 * @param lines number of lines; 0 for a page
 * @param onlyRoom the room of all lines, or null
 * @param first the identity of an entry with a single line, or null for any other
 * @param acceptedNanos when its oldest line was accepted; 0 without lines
 * @param fates receive the fates of its lines
 */
@SuppressWarnings("ArrayRecordComponent") // handed over, never compared
public record LaneEntry(
    Lane lane,
    long number,
    long read,
    long timeMillis,
    PresenceHeaders presenceHeaders,
    byte[] body,
    int lines,
    @Nullable RoomId onlyRoom,
    @Nullable Single first,
    long acceptedNanos,
    List<Fate> fates) {

  /** The identity of a message that is the only one in its entry. */
  public record Single(String messageId, MessageType type) {}

  public boolean isBeacon() {
    return body.length == 0;
  }

  /** Returns whether it is a page of its lane's members. */
  public boolean isPage() {
    return lines == 0 && body.length > 0;
  }

  boolean hasLines() {
    return lines > 0;
  }
}
