/**
 * Command line: options and their defaults, exit codes. The only user of picocli, and where
 * everything is wired.
 */
@NullMarked
package dev.chatflow.client.cli;

import org.jspecify.annotations.NullMarked;
