/** A result as text: for people, as JSON, and the live line during a run. */
@NullMarked
package dev.chatflow.client.report.text;

import org.jspecify.annotations.NullMarked;
