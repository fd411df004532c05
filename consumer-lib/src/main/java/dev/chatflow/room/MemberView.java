package dev.chatflow.room;

/**
 * A member of a room on this server, for listings.
 *
 * @param joinedMillis the server timestamp of its JOIN, in ms since the epoch
 */
public record MemberView(int userId, String username, long joinedMillis) {}
