/** The brokers of fault scenarios, as users run them, with their faults as verbs. */
@NullMarked
package dev.chatflow.lab.broker;

import org.jspecify.annotations.NullMarked;
