/**
 * Writes the frames of one connection: the direct sink and the portable one, over wires that a
 * container makes; and detects a peer that no longer reads. Independent of the container.
 */
@NullMarked
package dev.chatflow.server.sink;

import org.jspecify.annotations.NullMarked;
