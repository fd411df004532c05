/** {@code ./chatflow chat}: a person at a prompt. */
@NullMarked
package dev.chatflow.chat.cli;

import org.jspecify.annotations.NullMarked;
