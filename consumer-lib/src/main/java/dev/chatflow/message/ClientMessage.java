package dev.chatflow.message;

import org.jspecify.annotations.Nullable;

/**
 * A well-formed message as a client sent it.
 *
 * @param type what it does
 * @param userId 1 to 100000
 * @param username 3 to 20 of {@code A-Z a-z 0-9 _ -}
 * @param message the text; empty for a JOIN or LEAVE without one
 * @param timestamp the client's own, passed through untouched
 * @param messageId the client's own id, or null when it gave none
 */
public record ClientMessage(
    MessageType type,
    int userId,
    String username,
    String message,
    String timestamp,
    @Nullable String messageId) {}
