package dev.chatflow.client.verify;

/**
 * The head of the run and the time of the current batch, which a load thread writes into its
 * messages.
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

  /** Sets the time of the following messages. */
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
