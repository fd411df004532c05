/**
 * Fault scenarios: servers and load client as separate processes, real faults, and the client's
 * verification as the verdict.
 */
@NullMarked
package dev.chatflow.lab.chaos;

import org.jspecify.annotations.NullMarked;
