/** A server and a load that cost little, to measure what the other side costs. */
@NullMarked
package dev.chatflow.client.bench;

import org.jspecify.annotations.NullMarked;
