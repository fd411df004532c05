/** Servlets and the admin listener. */
@NullMarked
package dev.chatflow.server.http;

import org.jspecify.annotations.NullMarked;
