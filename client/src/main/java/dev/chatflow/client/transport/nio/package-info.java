/** RFC 6455 client over one selector loop per load thread. */
@NullMarked
package dev.chatflow.client.transport.nio;

import org.jspecify.annotations.NullMarked;
