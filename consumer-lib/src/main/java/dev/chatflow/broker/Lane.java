package dev.chatflow.broker;

import org.jspecify.annotations.Nullable;

/**
 * The identity of a publishing lane among all servers and boots. Its AMQP messages are numbered 1,
 * 2, 3 … without holes.
 *
 * @param serverId the publishing server
 * @param bootEpoch start time of that server, in ms since the epoch
 * @param shard index of the shard it writes to
 */
public record Lane(String serverId, long bootEpoch, int shard) {

  /** The AMQP header with the name of the publishing lane. */
  public static final String HEADER = "x-lane";

  /** The header with the message's number in its lane. */
  public static final String HEADER_NUMBER = "x-seq";

  /** Returns the value of {@link #HEADER}: {@code serverId/bootEpoch/shard}. */
  @Override
  public String toString() {
    return serverId + "/" + bootEpoch + "/" + shard;
  }

  /** Parses the form of {@link #toString}; null if it is malformed. */
  public static @Nullable Lane parse(String header) {
    int second = header.lastIndexOf('/');
    int first = second < 0 ? -1 : header.lastIndexOf('/', second - 1);
    if (first <= 0) {
      return null;
    }
    try {
      long epoch = Long.parseLong(header.substring(first + 1, second));
      int shard = Integer.parseInt(header.substring(second + 1));
      return epoch < 0 || shard < 0 ? null : new Lane(header.substring(0, first), epoch, shard);
    } catch (NumberFormatException _) {
      return null;
    }
  }
}
