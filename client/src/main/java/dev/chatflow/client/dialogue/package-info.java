/** One connection used step by step: for chat, and the checks of the protocol that smoke makes. */
@NullMarked
package dev.chatflow.client.dialogue;

import org.jspecify.annotations.NullMarked;
