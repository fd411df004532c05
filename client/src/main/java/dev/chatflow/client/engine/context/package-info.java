/**
 * What the parts of a run share: its phases, the servers' addresses, groups of senders, and what
 * belongs to each load thread.
 */
@NullMarked
package dev.chatflow.client.engine.context;

import org.jspecify.annotations.NullMarked;
