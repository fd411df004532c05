/**
 * The broker inside the launcher's process, for machines without a broker. No other package loads
 * Qpid.
 */
@NullMarked
package dev.chatflow.broker.embedded;

import org.jspecify.annotations.NullMarked;
