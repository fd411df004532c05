/**
 * The messages of the protocol: client frames, their validation and errors, broadcasts, and the
 * lines in which messages travel between servers. JSON and times are scanned and written by hand
 * (docs/adr/0018).
 */
@NullMarked
package dev.chatflow.message;

import org.jspecify.annotations.NullMarked;
