/** The standalone consumer: records of what the cluster said, its figures, and their HTTP side. */
@NullMarked
package dev.chatflow.consumer.audit;

import org.jspecify.annotations.NullMarked;
