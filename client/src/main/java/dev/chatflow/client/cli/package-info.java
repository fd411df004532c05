/**
 * The command line: commands, options with defaults, exit codes, and the checks of smoke. The only
 * package that uses picocli; it creates all other parts.
 */
@NullMarked
package dev.chatflow.client.cli;

import org.jspecify.annotations.NullMarked;
