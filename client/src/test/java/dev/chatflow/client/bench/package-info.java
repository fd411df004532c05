/** A server that costs little, to measure what the client costs. */
@NullMarked
package dev.chatflow.client.bench;

import org.jspecify.annotations.NullMarked;
