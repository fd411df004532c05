/** A driver that plays one workload against servers of several protocols, to compare them. */
@NullMarked
package dev.chatflow.lab.driver;

import org.jspecify.annotations.NullMarked;
