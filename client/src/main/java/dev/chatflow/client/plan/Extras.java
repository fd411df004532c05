package dev.chatflow.client.plan;

import dev.chatflow.client.CommandFailure;

/**
 * The optional additions to a workload of texts.
 *
 * @param signalsPerSecond SIGNALs that the members of each room together send; 0 for none
 * @param devices number of consecutive members that are devices of one user
 * @param dataBytes size of the JSON object {@code data} of each text; 0 for none
 */
public record Extras(double signalsPerSecond, int devices, int dataBytes) {
  public static final Extras NONE = new Extras(0, 1, 0);

  private static final double MAX_SIGNALS = 1_000_000;
  private static final int MAX_DEVICES = 8;
  private static final int MAX_DATA = 2_000;
  private static final String EMPTY_DATA = "{\"pad\":\"\"}";

  public Extras {
    if (!(signalsPerSecond >= 0 && signalsPerSecond <= MAX_SIGNALS)) {
      throw CommandFailure.usage("--signals must be from 0 to 1m, found " + signalsPerSecond);
    }
    CommandFailure.requireRange("--devices", devices, 1, MAX_DEVICES);
    if (dataBytes != 0) {
      CommandFailure.requireRange("--data-size", dataBytes, EMPTY_DATA.length(), MAX_DATA);
    }
  }

  public boolean hasSignals() {
    return signalsPerSecond > 0;
  }

  /** Returns the JSON field of a text with its data, after a comma; empty for none. */
  public String dataField() {
    if (dataBytes == 0) {
      return "";
    }
    String pad = "x".repeat(dataBytes - EMPTY_DATA.length());
    return ",\"data\":{\"pad\":\"" + pad + "\"}";
  }
}
