/**
 * A finished run and its analysis: the registry of figures, objectives, the verdict, the course,
 * how it is stored; and several runs: parts merged, cells of a sweep, steps of a search,
 * comparisons. No report is written here.
 */
@NullMarked
package dev.chatflow.client.result;

import org.jspecify.annotations.NullMarked;
