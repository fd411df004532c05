package dev.chatflow.record;

import dev.chatflow.log.LogPosition;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * The content of one transaction: rows of several shards, and how far their logs are recorded with
 * them.
 *
 * @param rows in the order of their logs, by shard
 * @param positions the position after the last entry of each shard with entries in the batch
 * @param gaps possible losses
 */
public record WriteBatch(
    Map<Integer, List<Row>> rows, Map<Integer, LogPosition> positions, List<Gap> gaps) {

  /**
   * A possible loss of messages.
   *
   * @param shard the shard
   * @param atMillis when it was detected, in ms since the epoch
   * @param before number of the shard's rows in the batch before it
   * @param why the reason, for people
   */
  public record Gap(int shard, long atMillis, int before, String why) {}

  /** Returns the number of rows that are shown, over all shards. */
  public long messages() {
    return rows.values().stream().flatMap(Collection::stream).filter(Row::isShown).count();
  }

  public boolean isEmpty() {
    return positions.isEmpty() && gaps.isEmpty();
  }
}
