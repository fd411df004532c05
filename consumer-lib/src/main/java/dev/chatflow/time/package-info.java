/**
 * Time as a value: how long to wait, handed to whoever waits. {@link dev.chatflow.time.Poll} alone
 * waits itself.
 */
@NullMarked
package dev.chatflow.time;

import org.jspecify.annotations.NullMarked;
