/**
 * Everything that depends on Tomcat: its connections as wires, its members without a public
 * accessor, and the self-test that selects the sink. Apart from the launcher, only this package
 * uses Tomcat's classes.
 */
@NullMarked
package dev.chatflow.server.sink.tomcat;

import org.jspecify.annotations.NullMarked;
