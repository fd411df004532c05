/** A chat server written against the protocol document only, with defects to switch on. */
@NullMarked
package dev.chatflow.client.fake;

import org.jspecify.annotations.NullMarked;
