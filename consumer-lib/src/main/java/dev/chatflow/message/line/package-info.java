/**
 * Messages as they travel between servers: lines, read where they lie, and bodies of many lines.
 *
 * <p>Offered to others: {@link dev.chatflow.message.line.LineWriter}, {@link
 * dev.chatflow.message.line.LineReader} with its {@link dev.chatflow.message.line.Line}, {@link
 * dev.chatflow.message.line.Batch}, and the {@link dev.chatflow.message.line.DeadLetter}.
 */
@NullMarked
package dev.chatflow.message.line;

import org.jspecify.annotations.NullMarked;
