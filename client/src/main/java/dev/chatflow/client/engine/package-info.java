/** Drives the users of a run through its phases: connect, join, main, drain, leave, close. */
@NullMarked
package dev.chatflow.client.engine;

import org.jspecify.annotations.NullMarked;
