/**
 * Counts and times of a run: counters, histograms per interval, samples over time, phase times, and
 * CSV rows.
 */
@NullMarked
package dev.chatflow.client.record;

import org.jspecify.annotations.NullMarked;
