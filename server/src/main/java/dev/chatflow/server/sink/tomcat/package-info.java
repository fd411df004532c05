/**
 * What is Tomcat's: its connections as wires, the members that have no public accessor, and the
 * self-test that decides by which sink frames leave. But for the launcher this package alone knows
 * Tomcat's classes.
 */
@NullMarked
package dev.chatflow.server.sink.tomcat;

import org.jspecify.annotations.NullMarked;
