/** Many chat users of servers with several protocols, each of whom judges every delivery. */
@NullMarked
package dev.chatflow.lab.crowd;

import org.jspecify.annotations.NullMarked;
