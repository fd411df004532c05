package dev.chatflow.log;

import dev.chatflow.broker.Lane;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The presence headers of an entry, which are independent of its body.
 *
 * @param request the number of its lane's request for the members of all other lanes; 0 for none
 * @param members the digest of its lane's members, or null
 * @param lostLanes lanes whose members end here; includes its own lane when that starts to use the
 *     shard; at most {@value #MAX_LOST_LANES}
 */
public record PresenceHeaders(long request, @Nullable Digest members, List<Lane> lostLanes) {

  /** Maximum number of lost lanes in one entry. */
  public static final int MAX_LOST_LANES = 16;

  /** No presence headers. */
  public static final PresenceHeaders NONE = new PresenceHeaders(0, null, List.of());
}
