/**
 * What {@code --secure} and {@code --own-key} make: a certificate, a key for tokens, first
 * commands.
 */
@NullMarked
package dev.chatflow.server.launch.trial;

import org.jspecify.annotations.NullMarked;
