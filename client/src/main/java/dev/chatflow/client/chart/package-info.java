/** Draws SVG pictures that need no script and no network. Pure. */
@NullMarked
package dev.chatflow.client.chart;

import org.jspecify.annotations.NullMarked;
