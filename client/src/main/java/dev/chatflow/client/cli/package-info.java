/**
 * Command line: options, defaults, exit codes. The only user of picocli and the place where
 * everything is wired.
 */
@NullMarked
package dev.chatflow.client.cli;

import org.jspecify.annotations.NullMarked;
