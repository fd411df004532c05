package dev.chatflow.log;

import dev.chatflow.broker.Lane;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an entry says of people in its headers, beside whatever its body is.
 *
 * @param request the number of its lane's request that all others tell their members; 0 for none
 * @param members what its lane's members are, or null
 * @param lostLanes lanes whose members end here, whoever they are; its own lane's when that begins
 *     to use the shard; at most {@value #MAX_LOST_LANES}
 */
public record Signals(long request, @Nullable Digest members, List<Lane> lostLanes) {

  /** The most lanes that one entry calls gone. */
  public static final int MAX_LOST_LANES = 16;

  /** Nothing is said. */
  public static final Signals NONE = new Signals(0, null, List.of());
}
