/** The connection to the broker, and the names and arguments of everything declared on it. */
@NullMarked
package dev.chatflow.broker;

import org.jspecify.annotations.NullMarked;
