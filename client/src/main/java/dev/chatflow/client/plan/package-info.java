/**
 * The plan of a run: validated records, presets and the exact number of expected deliveries. Pure.
 */
@NullMarked
package dev.chatflow.client.plan;

import org.jspecify.annotations.NullMarked;
