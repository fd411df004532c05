/** Test support: every available broker for a test class, with its faults as methods. */
@NullMarked
package dev.chatflow.broker.testing;

import org.jspecify.annotations.NullMarked;
