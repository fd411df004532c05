/** A load on the databases of records alone, without a broker. */
@NullMarked
package dev.chatflow.lab.record;

import org.jspecify.annotations.NullMarked;
