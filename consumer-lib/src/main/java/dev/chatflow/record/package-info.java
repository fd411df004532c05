/**
 * The standalone consumer, a separate program. It writes messages to a database, exactly once and
 * in the order that rooms were shown them, answers queries over HTTP, and compares the archive with
 * the result of a load client. Other packages use nothing of it.
 */
@NullMarked
package dev.chatflow.record;

import org.jspecify.annotations.NullMarked;
