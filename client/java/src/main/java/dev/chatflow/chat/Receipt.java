package dev.chatflow.chat;

import java.time.Instant;

/**
 * That a room has a message which was posted.
 *
 * @param id its id
 * @param at when the server took it
 */
public record Receipt(String id, Instant at) {}
