/**
 * The publishing side of a server: for each shard a lane with its waiting lines, the one entry in
 * flight and the entries not read back; the channels of all lanes; and whether the broker confirms.
 */
@NullMarked
package dev.chatflow.server.publish;

import org.jspecify.annotations.NullMarked;
