/** Who reads the whole log, naively, and judges what everybody was told by it. */
@NullMarked
package dev.chatflow.server.simulation.oracle;

import org.jspecify.annotations.NullMarked;
