package dev.chatflow.server.launch;

import java.io.PrintStream;

/**
 * The output streams of a launch.
 *
 * @param out results: addresses, configuration
 * @param err errors, and the logs of further servers
 */
record Streams(PrintStream out, PrintStream err) {}
