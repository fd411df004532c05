/** Rooms on a real Tomcat without a broker, to measure the fan-out alone. */
@NullMarked
package dev.chatflow.lab.hall;

import org.jspecify.annotations.NullMarked;
