/**
 * The standalone consumer, a program of its own: it writes what was said to a database, exactly
 * once and in the order that rooms were shown it, answers questions about that over HTTP, and
 * compares the record with the result of a load client. Offers nothing to other packages.
 */
@NullMarked
package dev.chatflow.record;

import org.jspecify.annotations.NullMarked;
