/** Renders the result of a run. */
@NullMarked
package dev.chatflow.client.report;

import org.jspecify.annotations.NullMarked;
