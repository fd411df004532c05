/**
 * What a server answers over HTTP on its main port, by servlets: health and statistics, publishing,
 * the page for browsers.
 */
@NullMarked
package dev.chatflow.server.http;

import org.jspecify.annotations.NullMarked;
