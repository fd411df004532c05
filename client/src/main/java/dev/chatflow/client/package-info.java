/**
 * The load client. What all of its parts may speak of: how a command ends, and which client it is.
 */
@NullMarked
package dev.chatflow.client;

import org.jspecify.annotations.NullMarked;
