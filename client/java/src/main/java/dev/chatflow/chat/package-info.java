/**
 * Rooms of ChatFlow for programs and bots: they come back by themselves, say when something may be
 * missing, and show each text once. Begin with {@link dev.chatflow.chat.ChatFlow#to}.
 */
@NullMarked
package dev.chatflow.chat;

import org.jspecify.annotations.NullMarked;
