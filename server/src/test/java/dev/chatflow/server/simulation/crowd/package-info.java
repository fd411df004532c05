/** The product's rooms and connections, with clients that join, leave, resume and post. */
@NullMarked
package dev.chatflow.server.simulation.crowd;

import org.jspecify.annotations.NullMarked;
