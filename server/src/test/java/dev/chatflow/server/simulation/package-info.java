/**
 * A whole cluster in one thread and in simulated time: the product's code, faults chosen by a seed,
 * and a judge.
 */
@NullMarked
package dev.chatflow.server.simulation;

import org.jspecify.annotations.NullMarked;
