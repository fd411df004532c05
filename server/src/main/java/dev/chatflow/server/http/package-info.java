/**
 * What a server answers over HTTP: health and statistics, publishing, the page for browsers; on the
 * main port by servlets, on the admin port by a listener.
 */
@NullMarked
package dev.chatflow.server.http;

import org.jspecify.annotations.NullMarked;
