/** Tokens that the client makes itself, for servers that ask for them. */
@NullMarked
package dev.chatflow.client.token;

import org.jspecify.annotations.NullMarked;
