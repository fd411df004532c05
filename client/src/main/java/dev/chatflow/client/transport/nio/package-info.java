/** A client for RFC 6455 with one selector loop per load thread. */
@NullMarked
package dev.chatflow.client.transport.nio;

import org.jspecify.annotations.NullMarked;
