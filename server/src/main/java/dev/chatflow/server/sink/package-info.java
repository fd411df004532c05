/**
 * Writes the frames of one connection with the direct or the portable sink, and detects peers that
 * no longer read. Independent of the container.
 */
@NullMarked
package dev.chatflow.server.sink;

import org.jspecify.annotations.NullMarked;
