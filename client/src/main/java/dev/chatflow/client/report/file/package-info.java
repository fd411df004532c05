/** Writes the files of a run, of a sweep and of a comparison, and the log of runs. */
@NullMarked
package dev.chatflow.client.report.file;

import org.jspecify.annotations.NullMarked;
