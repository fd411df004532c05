/** Rooms and connections of the product, with clients that come, go, resume and post. */
@NullMarked
package dev.chatflow.server.simulation.crowd;

import org.jspecify.annotations.NullMarked;
