/** Rules of the product that are left out one at a time, to be detected by the simulation. */
@NullMarked
package dev.chatflow.server.simulation.mutant;

import org.jspecify.annotations.NullMarked;
