/**
 * How {@code java -jar} of the WAR becomes a server: embedded Tomcat, embedded broker, more servers
 * as child JVMs.
 */
@NullMarked
package dev.chatflow.server.launch;

import org.jspecify.annotations.NullMarked;
