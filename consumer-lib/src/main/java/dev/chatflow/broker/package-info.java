/**
 * Where the broker is, how a connection to it is kept, and every name and argument declared on it.
 */
@NullMarked
package dev.chatflow.broker;

import org.jspecify.annotations.NullMarked;
