package dev.chatflow.client.verify;

/**
 * What a load thread stamps into its messages: the head of the run and the time of the current
 * batch.
 *
 * <p>One instance belongs to one thread.
 */
public final class Stamps {
  private final Head head;
  private final Timestamp clock = new Timestamp();
  private byte[] timestamp;

  public Stamps(String runId) {
    head = new Head(runId);
    timestamp = clock.at(0);
  }

  /** Sets the time that the following messages carry. */
  public void now(long epochMillis) {
    timestamp = clock.at(epochMillis);
  }

  Head head() {
    return head;
  }

  byte[] timestamp() {
    return timestamp;
  }
}
