/** Lines alone, without rooms, which go through odder sequences. */
@NullMarked
package dev.chatflow.server.simulation.lines;

import org.jspecify.annotations.NullMarked;
