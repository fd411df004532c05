/** Members of a fault scenario beside the load: those that misbehave, and one that only looks. */
@NullMarked
package dev.chatflow.lab.peer;

import org.jspecify.annotations.NullMarked;
