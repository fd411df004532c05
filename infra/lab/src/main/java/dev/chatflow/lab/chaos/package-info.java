/**
 * Fault scenarios: servers and load client as processes of their own, a real fault, and the
 * client's verifier as judge.
 */
@NullMarked
package dev.chatflow.lab.chaos;

import org.jspecify.annotations.NullMarked;
