/**
 * Looks at the machine, the own process and the health of the servers; never on the message path.
 */
@NullMarked
package dev.chatflow.client.observe;

import org.jspecify.annotations.NullMarked;
