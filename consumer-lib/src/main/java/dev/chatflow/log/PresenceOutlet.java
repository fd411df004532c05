package dev.chatflow.log;

import dev.chatflow.broker.Lane;
import java.util.List;

/** Publishes presence information of a shard's reader with its own lane. No call parks. */
public interface PresenceOutlet {

  /** Returns the lane's name in headers. */
  Lane name();

  /**
   * Requests the members of all other lanes, with the next entry of any kind, which is published
   * soon.
   *
   * @param request a number greater than all earlier ones
   * @param begins whether the lane starts to use the shard, perhaps again: the entry then ends the
   *     lane's earlier members; it has no lines and precedes all entries with lines
   */
  void requestSnapshots(long request, boolean begins);

  /** Announces lost lanes with the next entries of any kind, which are published soon. */
  void announceLost(List<Lane> lanes);

  /**
   * Publishes a digest of the lane's members with the next entry of any kind; only the newest
   * digest is kept.
   */
  void announceMembers(Digest members);

  /**
   * Answers a request with separate entries, which alternate with flights. The rest of an earlier
   * answer is dropped.
   *
   * @param pages bodies of at most 16,000 bytes, unless a single member needs more
   */
  void sendSnapshot(List<byte[]> pages);
}
