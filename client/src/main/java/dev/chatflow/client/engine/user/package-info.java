/**
 * The users of one load thread and their rooms: a state machine for each user, what it writes, what
 * it is sent.
 */
@NullMarked
package dev.chatflow.client.engine.user;

import org.jspecify.annotations.NullMarked;
