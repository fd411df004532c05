/**
 * How frames leave by one connection: the direct sink and the portable one, over wires that a
 * container makes; and whether somebody is still there to read them.
 *
 * <p>Offered to the edge: {@link dev.chatflow.server.edge.sink.MemberSink}, the {@link
 * dev.chatflow.server.edge.sink.Pulse} over it, and the {@link dev.chatflow.server.edge.sink.Wire}
 * it closes with. The package of the container makes both sinks and the {@link
 * dev.chatflow.server.edge.sink.DirectWire}. Knows no container.
 */
@NullMarked
package dev.chatflow.server.edge.sink;

import org.jspecify.annotations.NullMarked;
