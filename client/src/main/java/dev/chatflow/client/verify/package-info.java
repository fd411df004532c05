/**
 * The proof of every delivery: the head that a message text carries, how it is found again in a
 * frame, and the ledger, which compares what was required with what arrived. Depends on no other
 * part of the client.
 */
@NullMarked
package dev.chatflow.client.verify;

import org.jspecify.annotations.NullMarked;
