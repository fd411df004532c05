/** How a process shows its meters. Each program names its own. */
@NullMarked
package dev.chatflow.meter;

import org.jspecify.annotations.NullMarked;
