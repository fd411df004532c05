/**
 * The messages of the protocol: what a client may send, what a server makes of it, what is refused.
 *
 * <p>Offered to others: all of it but {@link dev.chatflow.message.FieldChecks}, which the readers
 * of client frames and broker lines share.
 */
@NullMarked
package dev.chatflow.message;

import org.jspecify.annotations.NullMarked;
