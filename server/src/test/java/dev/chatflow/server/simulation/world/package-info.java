/** Simulated servers with their log and time; they run the product's code. */
@NullMarked
package dev.chatflow.server.simulation.world;

import org.jspecify.annotations.NullMarked;
