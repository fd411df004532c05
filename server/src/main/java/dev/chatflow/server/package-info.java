/** Creates the server in order, drains and closes it in reverse; the configuration. */
@NullMarked
package dev.chatflow.server;

import org.jspecify.annotations.NullMarked;
