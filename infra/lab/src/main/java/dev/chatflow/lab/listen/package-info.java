/** Very many people who mostly listen, told by exact counts, at little cost for each. */
@NullMarked
package dev.chatflow.lab.listen;

import org.jspecify.annotations.NullMarked;
