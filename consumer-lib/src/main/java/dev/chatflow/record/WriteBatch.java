package dev.chatflow.record;

import dev.chatflow.log.LogPosition;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * What is written in one transaction: rows of several shards, and how far their logs are done with
 * them.
 *
 * @param rows in the order of their logs, by shard
 * @param positions behind the last entry of each shard that has anything in it
 * @param gaps what is told to be missing
 */
public record WriteBatch(
    Map<Integer, List<Row>> rows, Map<Integer, LogPosition> positions, List<Gap> gaps) {

  /**
   * Messages may be missing.
   *
   * @param shard whose
   * @param atMillis when it was noticed, in ms since the epoch
   * @param before rows of the batch's shard that were taken before it
   * @param why in words
   */
  public record Gap(int shard, long atMillis, int before, String why) {}

  /** Rows that are shown, of all shards. */
  public long messages() {
    return rows.values().stream().flatMap(Collection::stream).filter(Row::isShown).count();
  }

  public boolean isEmpty() {
    return positions.isEmpty() && gaps.isEmpty();
  }
}
