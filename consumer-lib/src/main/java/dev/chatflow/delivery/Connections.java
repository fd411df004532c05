package dev.chatflow.delivery;

import dev.chatflow.log.Stamp;
import dev.chatflow.message.ChatMessage;
import dev.chatflow.message.Line;
import dev.chatflow.message.MembersFrame;
import dev.chatflow.presence.OrphanedLeaves;
import dev.chatflow.presence.Person;
import dev.chatflow.room.CloseReason;
import dev.chatflow.room.Member;
import dev.chatflow.room.Past;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.Shard;
import dev.chatflow.room.UserDevice;
import org.jspecify.annotations.Nullable;

/**
 * The connections of this server, as readers of logs see them. Thread-safe; no call parks its
 * caller.
 */
public interface Connections {

  /** A connection that sent messages. */
  interface Sender {

    /** Returns the connection as its room sees it. */
    Member member();

    /** Opens the sender's window by {@code messages} messages that came back. */
    void cameBack(int messages);

    /**
     * Reports that its JOIN with this stamp is in the log and holds the membership.
     *
     * @return the earlier frames that the JOIN requests
     */
    Past joinWasShown(long stamp);

    /**
     * Returns the number of names that the last returned JOIN requests; {@link
     * MembersFrame#NOT_ASKED} if it requests no list.
     */
    int namesRequested();

    /**
     * Sends the member list to this connection only, before any frame shown from now on.
     *
     * @param complete whether the frame includes the members of all servers
     */
    void sendMembers(byte[] frame, boolean complete);

    /** Returns whether the last list it got was incomplete. */
    boolean hasIncompleteList();

    /**
     * Reports that another server published the LEAVE of its JOIN with this stamp, so none is
     * pending for it.
     */
    void wasLeft(long stamp);

    /** Reports that a moderator ended the membership of its JOIN with this stamp. */
    void wasRemoved(long stamp);

    /** Confirms to the sender only that its resent message was shown before. */
    void resendWasShown(ChatMessage resend);
  }

  /** Returns the open connection with this id on this server, or null. */
  @Nullable Sender find(String connectionId);

  /**
   * Reports a JOIN that holds the membership of its user: connections of this user that wait for a
   * smaller JOIN have to reconnect.
   */
  void joinWasRead(RoomId room, UserDevice who, Stamp stamp);

  /**
   * Closes every connection with a message in flight in a shard and, if {@code members} is set, all
   * its members.
   */
  void closeConcerned(Shard shard, CloseReason reason, boolean members);

  /** Returns whether a connection of this server uses the shard, as a member or sender. */
  boolean isConcerned(Shard shard);

  /**
   * Reports a message of a connection or post of this server that was not shown because of a mute.
   */
  void wasRefused(Line.Message message);

  /** Returns the pending LEAVEs of this server. */
  Leaves leaves();

  /**
   * The LEAVEs of ended connections, each until it was read back. Called only by the shard's
   * reader.
   */
  interface Leaves extends OrphanedLeaves {

    /**
     * Reports a JOIN.
     *
     * @param counts whether it is the newest of its user
     * @param past whether it precedes the attach of the shard's reader: a connection of this
     *     process has then ended
     */
    void joinRead(Line.Message join, boolean counts, boolean past);

    /** Publishes the LEAVE by which a moderator removes a member. */
    void remove(RoomId room, Person person);

    /** Reports a LEAVE. */
    void leaveRead(Line.Message leave);

    /** Discards what was read of the shard's past: it is read again from another position. */
    void pastRestarts(Shard shard);

    /** Reports that the shard's log is followed: its pending LEAVEs are published. */
    void attached(Shard shard);

    /** Discards everything known about the shard. */
    void lost(Shard shard);

    /** Returns whether any LEAVE is pending in the shard. */
    boolean isAnyPending(Shard shard);
  }
}
