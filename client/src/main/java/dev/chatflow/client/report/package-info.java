/**
 * A result for people and programs: as text, JSON and a page with SVG pictures, as files, and what
 * is shown of a run while it runs.
 */
@NullMarked
package dev.chatflow.client.report;

import org.jspecify.annotations.NullMarked;
