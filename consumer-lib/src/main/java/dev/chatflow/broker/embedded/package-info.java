/**
 * The broker inside the launcher's process, for machines that have none. Nothing else loads Qpid.
 */
@NullMarked
package dev.chatflow.broker.embedded;

import org.jspecify.annotations.NullMarked;
