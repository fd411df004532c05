/**
 * The command line: commands, their options with defaults, exit codes, and the checks of smoke. The
 * only package that knows picocli, and where everything is wired.
 */
@NullMarked
package dev.chatflow.client.cli;

import org.jspecify.annotations.NullMarked;
