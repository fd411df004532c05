/**
 * Shared by all programs: configuration, the threads that step machines, an HTTP listener with
 * answers in JSON, and the page of meters. Independent of chat.
 */
@NullMarked
package dev.chatflow.support;

import org.jspecify.annotations.NullMarked;
