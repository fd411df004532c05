/**
 * The way into a room and back into it: sockets, signs of life, tokens, the close table. Internal:
 * programs use the package above.
 */
@NullMarked
package dev.chatflow.chat.link;

import org.jspecify.annotations.NullMarked;
