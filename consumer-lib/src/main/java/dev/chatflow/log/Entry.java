package dev.chatflow.log;

import dev.chatflow.broker.Lane;

/**
 * What the headers of one numbered entry of a shard's log say.
 *
 * @param lane who published it
 * @param number 1, 2, 3 … in its lane; the same at every attempt to publish it
 * @param read the greatest number of its lane that was published only once and had been read back
 *     when the entry's lines were taken; 0 when there was none
 * @param hasLines whether anything of it is to be shown; false for a beacon
 */
public record Entry(Lane lane, long number, long read, boolean hasLines) {

  public Entry {
    if (number < 1 || read < 0 || read >= number) {
      throw new IllegalArgumentException(
          "entry " + number + " of lane " + lane + " cannot have read " + read);
    }
  }
}
