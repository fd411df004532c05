/**
 * Looks at the machine and the client's own process: what they are, what they allow, what they use.
 */
@NullMarked
package dev.chatflow.client.observe.machine;

import org.jspecify.annotations.NullMarked;
