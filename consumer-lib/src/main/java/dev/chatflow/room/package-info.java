/** Rooms and what their members get: plain Java, no broker, no container, no clock. */
@NullMarked
package dev.chatflow.room;

import org.jspecify.annotations.NullMarked;
