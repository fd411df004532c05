package dev.chatflow.chat;

import java.time.Instant;

/**
 * A text of a room.
 *
 * @param at when the server took it
 * @param own of this user
 * @param past said before the own JOIN: on entering, or while the connection was lost
 * @param late the answer to a message sent again: the room had it before, and it has no place here
 *     among the others
 */
public record Message(
    User user, String text, String id, Instant at, boolean own, boolean past, boolean late) {}
