/** Simultaneous faults of several kinds, by a random schedule. */
@NullMarked
package dev.chatflow.lab.storm;

import org.jspecify.annotations.NullMarked;
