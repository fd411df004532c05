/**
 * A client library for ChatFlow rooms. It reconnects automatically, reports when messages may be
 * missing, and delivers each text once. Start with {@link dev.chatflow.chat.ChatFlow#to}.
 *
 * <p>Programs implement only {@link dev.chatflow.chat.Listener}: later versions may add methods to
 * the other interfaces. Messages and all other values are immutable.
 */
@NullMarked
package dev.chatflow.chat;

import org.jspecify.annotations.NullMarked;
