/** A whole cluster in one thread and in simulated time: product code, a seed's faults, a judge. */
@NullMarked
package dev.chatflow.server.simulation;

import org.jspecify.annotations.NullMarked;
