/** A chat server written only from the protocol document, with defects that tests can switch on. */
@NullMarked
package dev.chatflow.client.fake;

import org.jspecify.annotations.NullMarked;
