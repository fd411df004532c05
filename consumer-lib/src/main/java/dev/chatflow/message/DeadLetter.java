package dev.chatflow.message;

/**
 * A line that could not be shown.
 *
 * @param body the line as received
 * @param reason why it could not be shown
 */
@SuppressWarnings("ArrayRecordComponent") // published once, never compared
public record DeadLetter(byte[] body, String reason) {}
