/** Time as a value: how long to wait, handed to whoever waits. */
@NullMarked
package dev.chatflow.time;

import org.jspecify.annotations.NullMarked;
