/**
 * What is seen of a run beside its messages: broker, metrics pages, the standalone consumer and the
 * client's own process, put together from the packages below. Never on the message path.
 */
@NullMarked
package dev.chatflow.client.observe;

import org.jspecify.annotations.NullMarked;
