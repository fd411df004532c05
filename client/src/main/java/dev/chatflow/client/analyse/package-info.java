/** Looks at several runs: searches the highest rate, compares the cells of a matrix. Pure. */
@NullMarked
package dev.chatflow.client.analyse;

import org.jspecify.annotations.NullMarked;
