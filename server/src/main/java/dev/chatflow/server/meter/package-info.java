/** Every meter's name, unit and meaning. */
@NullMarked
package dev.chatflow.server.meter;

import org.jspecify.annotations.NullMarked;
