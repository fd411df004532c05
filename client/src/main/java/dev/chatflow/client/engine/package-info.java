/**
 * Drives the users of a run through its phases: connect, join, main, drain, leave, close. A state
 * machine for each user, its token, what it writes and what it is sent; what belongs to each load
 * thread.
 */
@NullMarked
package dev.chatflow.client.engine;

import org.jspecify.annotations.NullMarked;
