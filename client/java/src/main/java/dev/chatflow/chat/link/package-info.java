/**
 * Connecting to a room and reconnecting: sockets, pings, tokens, the table of close codes.
 * Internal: programs use the package above.
 */
@NullMarked
package dev.chatflow.chat.link;

import org.jspecify.annotations.NullMarked;
