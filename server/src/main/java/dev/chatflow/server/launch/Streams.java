package dev.chatflow.server.launch;

import java.io.PrintStream;

/**
 * Where a launch prints.
 *
 * @param out results: addresses, configuration
 * @param err why something did not work, and the logs of further servers
 */
record Streams(PrintStream out, PrintStream err) {}
