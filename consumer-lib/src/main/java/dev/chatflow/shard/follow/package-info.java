/** Reads shards' logs for somebody who has no lane in them, on behind a place that he remembers. */
@NullMarked
package dev.chatflow.shard.follow;

import org.jspecify.annotations.NullMarked;
