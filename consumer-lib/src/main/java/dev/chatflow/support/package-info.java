/**
 * What every program needs beside its task: configuration, the threads that step machines, an HTTP
 * listener with answers in JSON, and the page of meters. Knows nothing of chat.
 */
@NullMarked
package dev.chatflow.support;

import org.jspecify.annotations.NullMarked;
