/**
 * A result for people and programs: as text, JSON and a page with pictures, as files, and what is
 * seen of a run while it runs.
 */
@NullMarked
package dev.chatflow.client.report;

import org.jspecify.annotations.NullMarked;
