/** Members of a fault scenario in addition to the load: misbehaving ones and an observer. */
@NullMarked
package dev.chatflow.lab.peer;

import org.jspecify.annotations.NullMarked;
