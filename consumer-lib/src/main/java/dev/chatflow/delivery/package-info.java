/** Delivers the logs to the rooms of a server, and answers requests about rooms. */
@NullMarked
package dev.chatflow.delivery;

import org.jspecify.annotations.NullMarked;
