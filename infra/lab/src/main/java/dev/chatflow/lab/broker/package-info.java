/** The brokers of fault scenarios, as users run them, with methods that cause their faults. */
@NullMarked
package dev.chatflow.lab.broker;

import org.jspecify.annotations.NullMarked;
