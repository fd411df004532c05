/** The ledger: what was required, what arrived, and every difference between the two. */
@NullMarked
package dev.chatflow.client.verify;

import org.jspecify.annotations.NullMarked;
