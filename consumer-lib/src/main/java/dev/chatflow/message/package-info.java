/**
 * The message model and its JSON forms: client frames, broker lines, batches, broadcasts, errors.
 */
@NullMarked
package dev.chatflow.message;

import org.jspecify.annotations.NullMarked;
