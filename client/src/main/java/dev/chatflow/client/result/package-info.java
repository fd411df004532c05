/**
 * A finished run and its analysis: the registry of figures, objectives, the verdict, time series
 * and storage. Also several runs: merged parts, sweeps, searches, comparisons. Contains no reports.
 */
@NullMarked
package dev.chatflow.client.result;

import org.jspecify.annotations.NullMarked;
