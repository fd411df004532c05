/** What the standalone consumer is asked by HTTP, and its answers from the record. */
@NullMarked
package dev.chatflow.standalone.answer;

import org.jspecify.annotations.NullMarked;
