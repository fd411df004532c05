/**
 * JSON and times, scanned and written by hand on the data path (docs/adr/0018).
 *
 * <p>Offered to {@link dev.chatflow.message} and {@link dev.chatflow.message.line} alone. Knows
 * names and forms of fields, and no message.
 */
@NullMarked
package dev.chatflow.message.json;

import org.jspecify.annotations.NullMarked;
