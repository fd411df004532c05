/** The brokers of a fault scenario, each as users run it, with its faults as verbs. */
@NullMarked
package dev.chatflow.lab.broker;

import org.jspecify.annotations.NullMarked;
