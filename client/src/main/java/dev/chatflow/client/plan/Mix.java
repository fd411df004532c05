package dev.chatflow.client.plan;

import dev.chatflow.client.CommandFailure;

/**
 * Shares of message types in the main phase, in percent. Membership stays valid: each LEAVE is
 * followed by a JOIN on the same socket.
 */
public record Mix(double texts, double joins, double leaves) {
  public static final Mix TEXTS_ONLY = new Mix(100, 0, 0);

  public Mix {
    if (!(texts > 0 && leaves >= 0) || Math.abs(texts + joins + leaves - 100) > 1e-6) {
      throw CommandFailure.usage(
          "--mix must add up to 100 with T above 0, found T=%s,J=%s,L=%s"
              .formatted(texts, joins, leaves));
    }
    if (joins != leaves) {
      throw CommandFailure.usage(
          "--mix must have as many JOINs as LEAVEs, found J=" + joins + ",L=" + leaves);
    }
  }

  boolean rejoins() {
    return leaves > 0;
  }

  /** Returns the number of TEXTs among {@code messages}. */
  public long textsOf(long messages) {
    return Math.round(messages * texts / 100);
  }

  /**
   * Returns whether a LEAVE and a JOIN follow a user's k-th TEXT. They are spread evenly,
   * differently for each user.
   */
  public boolean rejoinsAfter(int user, int text) {
    double perText = leaves / texts;
    double shift = (user * 0.618_033_988_75) % 1;
    return Math.floor(text * perText + shift) > Math.floor((text - 1) * perText + shift);
  }
}
