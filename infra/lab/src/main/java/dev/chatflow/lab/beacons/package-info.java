/** Servers that are not there, as a broker and those that are there see them. */
@NullMarked
package dev.chatflow.lab.beacons;

import org.jspecify.annotations.NullMarked;
