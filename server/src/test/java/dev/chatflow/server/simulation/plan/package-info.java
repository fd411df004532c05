/** What a seed decides, and what is noted and counted of a run. */
@NullMarked
package dev.chatflow.server.simulation.plan;

import org.jspecify.annotations.NullMarked;
