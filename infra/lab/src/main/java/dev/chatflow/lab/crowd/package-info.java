/** Many chat users of servers with several protocols, which check every delivery. */
@NullMarked
package dev.chatflow.lab.crowd;

import org.jspecify.annotations.NullMarked;
