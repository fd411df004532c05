/**
 * What the standalone consumer has recorded, in memory and bounded, and the figures made of it.
 *
 * <p>Offered to the program: {@link dev.chatflow.standalone.record.Records}, which a thread fills,
 * and {@link dev.chatflow.standalone.record.Statistics}, which any may ask.
 */
@NullMarked
package dev.chatflow.standalone.record;

import org.jspecify.annotations.NullMarked;
