/**
 * The processes of a fault scenario except its broker: servers, the standalone consumer and the
 * load client, as users run them, with methods that cause their faults.
 */
@NullMarked
package dev.chatflow.lab.node;

import org.jspecify.annotations.NullMarked;
