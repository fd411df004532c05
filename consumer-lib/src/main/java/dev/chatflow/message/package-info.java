/**
 * The messages of the protocol: what a client may send, what a server makes of it, what is refused,
 * and the lines by which messages travel between servers. JSON and times are scanned and written by
 * hand (docs/adr/0018).
 */
@NullMarked
package dev.chatflow.message;

import org.jspecify.annotations.NullMarked;
