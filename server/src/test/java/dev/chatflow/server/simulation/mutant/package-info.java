/** Rules of the product left out, one at a time, for the simulation to notice. */
@NullMarked
package dev.chatflow.server.simulation.mutant;

import org.jspecify.annotations.NullMarked;
