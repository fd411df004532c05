/** What the load client puts into a message text and how it finds it again in a broadcast. */
@NullMarked
package dev.chatflow.client.wire;

import org.jspecify.annotations.NullMarked;
