/** Lines without rooms, which cover stranger sequences. */
@NullMarked
package dev.chatflow.server.simulation.lines;

import org.jspecify.annotations.NullMarked;
