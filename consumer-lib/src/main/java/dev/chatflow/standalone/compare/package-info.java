/** Compares what a load client sent and saw with what a consumer recorded. */
@NullMarked
package dev.chatflow.standalone.compare;

import org.jspecify.annotations.NullMarked;
