/** {@code ./chatflow chat}: a user at a terminal. */
@NullMarked
package dev.chatflow.chat.cli;

import org.jspecify.annotations.NullMarked;
