/** Test support: every available broker for a test class, its faults as verbs. */
@NullMarked
package dev.chatflow.broker.testing;

import org.jspecify.annotations.NullMarked;
