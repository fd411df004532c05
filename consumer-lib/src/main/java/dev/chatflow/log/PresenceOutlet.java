package dev.chatflow.log;

import dev.chatflow.broker.Lane;
import java.util.List;

/** How the reader of a shard speaks of people in its log: by its own lane. No call parks. */
public interface PresenceOutlet {

  /** Its name in headers. */
  Lane name();

  /**
   * Asks all others for their members, by the next entry of any kind, which is published soon.
   *
   * @param request its number, greater than those before
   * @param begins whether the lane begins to use the shard, once more perhaps: it is called gone by
   *     that entry, which has no lines and stands before all of them
   */
  void requestSnapshots(long request, boolean begins);

  /** Calls other lanes gone, by the next entries of any kind, which are published soon. */
  void announceLost(List<Lane> lanes);

  /** Says what the lane's members are, by the next entry of any kind; the newest counts. */
  void announceMembers(Digest members);

  /**
   * Answers by entries of their own, which take turns with flights; what is left of an earlier
   * answer is given up.
   *
   * @param pages bodies; at most 16,000 bytes each, beyond one member
   */
  void sendSnapshot(List<byte[]> pages);
}
