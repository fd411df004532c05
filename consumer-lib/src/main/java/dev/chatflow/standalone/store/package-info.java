/** The record: what was said, in a database, exactly once and in the order rooms were shown it. */
@NullMarked
package dev.chatflow.standalone.store;

import org.jspecify.annotations.NullMarked;
