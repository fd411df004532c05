package dev.chatflow.message;

import dev.chatflow.room.Past;

/**
 * The requests of a JOIN.
 *
 * @param device the name of the user's device, or empty; see {@link dev.chatflow.room.UserDevice}
 * @param past the earlier frames to send first
 * @param members number of member names to send; {@link MembersFrame#NOT_ASKED} for no list
 */
public record JoinRequest(String device, Past past, int members) {

  /** No request; also the value for other messages. */
  public static final JoinRequest NONE = new JoinRequest("", Past.NONE, MembersFrame.NOT_ASKED);
}
