/** From the logs to the rooms of a server, and the questions that rooms are asked. */
@NullMarked
package dev.chatflow.delivery;

import org.jspecify.annotations.NullMarked;
