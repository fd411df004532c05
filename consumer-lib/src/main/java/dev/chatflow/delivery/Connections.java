package dev.chatflow.delivery;

import dev.chatflow.log.Stamp;
import dev.chatflow.message.ChatMessage;
import dev.chatflow.message.Line;
import dev.chatflow.message.MembersFrame;
import dev.chatflow.presence.OrphanedLeaves;
import dev.chatflow.room.CloseReason;
import dev.chatflow.room.Member;
import dev.chatflow.room.Past;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.Shard;
import org.jspecify.annotations.Nullable;

/**
 * The connections of this server, as the reading side sees them. Any thread may call; no call parks
 * its caller.
 */
public interface Connections {

  /** A connection whose messages come back. */
  interface Sender {

    /** The connection as its room sees it. */
    Member member();

    /** Opens the connection's window by {@code messages} of its own that came back. */
    void cameBack(int messages);

    /**
     * Its JOIN with this stamp is in the log, and holds the membership.
     *
     * @return what that asks to be shown of what was said before it
     */
    Past joinWasShown(long stamp);

    /**
     * How many names the JOIN that came back last asks for; {@link MembersFrame#NOT_ASKED} when it
     * does not ask who is here.
     */
    int namesRequested();

    /**
     * Tells the connection alone who is here, before anything that is shown from now on.
     *
     * @param complete whether the frame knows the members of all servers
     */
    void sendMembers(byte[] frame, boolean complete);

    /** Whether what it was told last of who is here did not know all. */
    boolean hasIncompleteList();

    /** Another server said the LEAVE of its JOIN with this stamp: none is owed for that. */
    void wasLeft(long stamp);

    /** Tells the sender alone that its resend had been shown already. */
    void resendWasShown(ChatMessage resend);
  }

  /** The open connection with this id on this server, or null. */
  @Nullable Sender find(String connectionId);

  /**
   * A JOIN was read that holds the membership of its user: whoever of the user's connections here
   * waits for a smaller one comes back.
   */
  void joinWasRead(RoomId room, String userId, Stamp stamp);

  /**
   * Closes every connection that has an own message under way in a shard, and, when members are
   * concerned too, all of these.
   */
  void closeConcerned(Shard shard, CloseReason reason, boolean members);

  /** Whether a connection here is of the shard: as a member, or by what it sent. */
  boolean isConcerned(Shard shard);

  /** The LEAVEs that this server owes. */
  Leaves leaves();

  /**
   * The LEAVEs of connections that have ended, until each has been read back. The shard's reader
   * alone calls.
   */
  interface Leaves extends OrphanedLeaves {

    /**
     * A JOIN was read.
     *
     * @param counts whether it is the newest of its user
     * @param past whether it was said before the shard's reader began anew: then the connection, if
     *     it is one of this process, has ended
     */
    void joinRead(Line.Message join, boolean counts, boolean past);

    /** A LEAVE was read. */
    void leaveRead(Line.Message leave);

    /** What was read of the shard's past is no use: it is read once more, from elsewhere. */
    void pastRestarts(Shard shard);

    /** The shard's log is followed: what is owed there is said. */
    void attached(Shard shard);

    /** Everything that is known of the shard is forgotten. */
    void lost(Shard shard);

    /** Whether any LEAVE is owed in the shard. */
    boolean isAnyPending(Shard shard);
  }
}
