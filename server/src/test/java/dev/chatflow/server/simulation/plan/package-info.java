/** The decisions of a seed, and the notes and counts of a run. */
@NullMarked
package dev.chatflow.server.simulation.plan;

import org.jspecify.annotations.NullMarked;
