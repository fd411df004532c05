/** A crowd of members and a server that cost little, to measure what the other side costs. */
@NullMarked
package dev.chatflow.lab.load;

import org.jspecify.annotations.NullMarked;
