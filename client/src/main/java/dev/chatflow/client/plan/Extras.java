package dev.chatflow.client.plan;

import dev.chatflow.client.CommandFailure;

/**
 * The optional additions to a workload of texts.
 *
 * @param signalsPerSecond SIGNALs that the members of each room together send; 0 for none
 */
public record Extras(double signalsPerSecond) {
  public static final Extras NONE = new Extras(0);

  private static final double MAX_SIGNALS = 1_000_000;

  public Extras {
    if (!(signalsPerSecond >= 0 && signalsPerSecond <= MAX_SIGNALS)) {
      throw CommandFailure.usage("--signals must be from 0 to 1m, found " + signalsPerSecond);
    }
  }

  public boolean hasSignals() {
    return signalsPerSecond > 0;
  }
}
