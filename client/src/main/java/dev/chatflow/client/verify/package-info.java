/**
 * The proof of every delivery: the head of message texts, how it is found in a frame, and the
 * ledger, which compares required and received copies. Depends on no other part of the client.
 */
@NullMarked
package dev.chatflow.client.verify;

import org.jspecify.annotations.NullMarked;
