/**
 * Drives the users of a run through its phases: connect, join, main, drain, leave, close. Contains
 * each user's state machine, token and messages, and the state of each load thread.
 */
@NullMarked
package dev.chatflow.client.engine;

import org.jspecify.annotations.NullMarked;
