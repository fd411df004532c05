/**
 * Runs the WAR with {@code java -jar}: embedded Tomcat, embedded broker, more servers as child
 * JVMs.
 */
@NullMarked
package dev.chatflow.server.launch;

import org.jspecify.annotations.NullMarked;
