/** From the shards' logs to the record: exactly once, one commit in the air. */
@NullMarked
package dev.chatflow.standalone.log;

import org.jspecify.annotations.NullMarked;
