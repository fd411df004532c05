/**
 * Configuration: keys with default, range and meaning, read once from options, properties and the
 * environment, all that is wrong told at once.
 */
@NullMarked
package dev.chatflow.config;

import org.jspecify.annotations.NullMarked;
