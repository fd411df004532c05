/**
 * The processes of a fault scenario beside its broker: servers, the standalone consumer and the
 * load client, each as users run it, with its faults as verbs.
 */
@NullMarked
package dev.chatflow.lab.node;

import org.jspecify.annotations.NullMarked;
