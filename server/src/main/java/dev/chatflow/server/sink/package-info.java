/**
 * How frames leave by one connection: the direct sink and the portable one, over wires that a
 * container makes; and whether somebody still reads them. Knows no container.
 */
@NullMarked
package dev.chatflow.server.sink;

import org.jspecify.annotations.NullMarked;
