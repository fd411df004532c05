/**
 * Options of the command line, each group read into one part of a plan; where their defaults come
 * from, and how values are written.
 */
@NullMarked
package dev.chatflow.client.cli.option;

import org.jspecify.annotations.NullMarked;
