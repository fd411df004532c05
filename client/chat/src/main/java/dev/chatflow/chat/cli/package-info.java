/** {@code ./chatflow chat}: a chat in the terminal. */
@NullMarked
package dev.chatflow.chat.cli;

import org.jspecify.annotations.NullMarked;
