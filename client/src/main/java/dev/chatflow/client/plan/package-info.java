/**
 * What a run will do: validated records, presets and the exact number of deliveries to expect.
 * Pure.
 */
@NullMarked
package dev.chatflow.client.plan;

import org.jspecify.annotations.NullMarked;
