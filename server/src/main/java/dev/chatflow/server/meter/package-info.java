/** Every meter of a server: name, unit, labels and meaning, nowhere else. */
@NullMarked
package dev.chatflow.server.meter;

import org.jspecify.annotations.NullMarked;
