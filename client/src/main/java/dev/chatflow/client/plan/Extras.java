package dev.chatflow.client.plan;

import dev.chatflow.client.CommandFailure;

/**
 * The optional additions to a workload of texts.
 *
 * @param signalsPerSecond SIGNALs that the members of each room together send; 0 for none
 * @param devices number of consecutive members that are devices of one user
 */
public record Extras(double signalsPerSecond, int devices) {
  public static final Extras NONE = new Extras(0, 1);

  private static final double MAX_SIGNALS = 1_000_000;
  private static final int MAX_DEVICES = 8;

  public Extras {
    if (!(signalsPerSecond >= 0 && signalsPerSecond <= MAX_SIGNALS)) {
      throw CommandFailure.usage("--signals must be from 0 to 1m, found " + signalsPerSecond);
    }
    CommandFailure.requireRange("--devices", devices, 1, MAX_DEVICES);
  }

  public boolean hasSignals() {
    return signalsPerSecond > 0;
  }
}
