/**
 * Counts and times of a run: counters, histograms per interval, samples over time, phase times; and
 * rows of CSV.
 */
@NullMarked
package dev.chatflow.client.record;

import org.jspecify.annotations.NullMarked;
