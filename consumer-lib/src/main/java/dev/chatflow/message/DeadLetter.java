package dev.chatflow.message;

/**
 * A line that could not be shown to anybody.
 *
 * @param body the line as it came
 * @param reason why not
 */
@SuppressWarnings("ArrayRecordComponent") // published once, never compared
public record DeadLetter(byte[] body, String reason) {}
