package dev.chatflow.log;

import dev.chatflow.broker.Lane;

/**
 * The headers of one numbered entry of a shard's log.
 *
 * @param lane the publisher
 * @param number 1, 2, 3 … in its lane; the same for every attempt to publish it
 * @param read the greatest number of its lane that was published only once and had been read back
 *     when the entry's lines were accepted; 0 if there was none
 * @param hasLines whether it contains messages; false for a beacon
 */
public record Entry(Lane lane, long number, long read, boolean hasLines) {

  public Entry {
    if (number < 1 || read < 0 || read >= number) {
      throw new IllegalArgumentException(
          "entry " + number + " of lane " + lane + " cannot have read " + read);
    }
  }
}
