/** The HTTP servlets of the main port: health and statistics, publishing, the browser page. */
@NullMarked
package dev.chatflow.server.http;

import org.jspecify.annotations.NullMarked;
