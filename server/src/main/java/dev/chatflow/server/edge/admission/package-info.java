/**
 * Who may send, how fast, when a connection is not read, and which faults end it: rules without
 * threads or clocks of their own. Offered to the edge alone, but for {@link
 * dev.chatflow.server.edge.admission.TrustedProxies} and {@link
 * dev.chatflow.server.edge.admission.Origins}, which are configured.
 */
@NullMarked
package dev.chatflow.server.edge.admission;

import org.jspecify.annotations.NullMarked;
