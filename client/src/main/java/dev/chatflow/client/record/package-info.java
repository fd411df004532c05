/** Counters, histograms and phase times of a run. */
@NullMarked
package dev.chatflow.client.record;

import org.jspecify.annotations.NullMarked;
