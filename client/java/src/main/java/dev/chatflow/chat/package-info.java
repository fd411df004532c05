/**
 * A client library for ChatFlow rooms. It reconnects automatically, reports when messages may be
 * missing, and delivers each text once. Start with {@link dev.chatflow.chat.ChatFlow#to}.
 */
@NullMarked
package dev.chatflow.chat;

import org.jspecify.annotations.NullMarked;
