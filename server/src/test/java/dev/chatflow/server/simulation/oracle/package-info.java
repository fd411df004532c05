/** A naive reader of the whole log, which judges the output of all servers. */
@NullMarked
package dev.chatflow.server.simulation.oracle;

import org.jspecify.annotations.NullMarked;
