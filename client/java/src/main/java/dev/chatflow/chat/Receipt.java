package dev.chatflow.chat;

import java.time.Instant;

/**
 * Confirms that a room has a posted message.
 *
 * @param id the message id
 * @param at when the server accepted it
 */
public record Receipt(String id, Instant at) {}
