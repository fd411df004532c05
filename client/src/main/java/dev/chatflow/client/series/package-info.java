/**
 * Values over time and their distributions: histograms per interval, counts per half second,
 * samples; and rows of CSV. Knows nothing else of the client.
 */
@NullMarked
package dev.chatflow.client.series;

import org.jspecify.annotations.NullMarked;
