/** The meters of a server: names, units, labels and meanings. */
@NullMarked
package dev.chatflow.server.meter;

import org.jspecify.annotations.NullMarked;
