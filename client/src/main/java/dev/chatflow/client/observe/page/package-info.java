/** Reads HTTP pages: health of servers, metrics, statistics of the standalone consumer. */
@NullMarked
package dev.chatflow.client.observe.page;

import org.jspecify.annotations.NullMarked;
