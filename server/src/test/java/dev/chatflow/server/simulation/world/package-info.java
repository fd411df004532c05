/** Servers, their log and their time, simulated; what runs in them is the product. */
@NullMarked
package dev.chatflow.server.simulation.world;

import org.jspecify.annotations.NullMarked;
