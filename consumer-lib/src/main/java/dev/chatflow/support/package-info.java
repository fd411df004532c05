/**
 * Shared by all programs: configuration, threads that step machines, an HTTP listener with JSON
 * responses, and meters. Independent of chat.
 */
@NullMarked
package dev.chatflow.support;

import org.jspecify.annotations.NullMarked;
