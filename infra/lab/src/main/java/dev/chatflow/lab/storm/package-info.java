/** Faults of several kinds at once, by a schedule that a seed decides. */
@NullMarked
package dev.chatflow.lab.storm;

import org.jspecify.annotations.NullMarked;
