package dev.chatflow.client.record;

/** The parts of a run, in order. */
public enum Phase {
  CONNECT,
  JOIN,
  WARMUP,
  MAIN,
  DRAIN,
  LEAVE,
  CLOSE,
  DONE;

  public Phase next() {
    return this == DONE ? DONE : values()[ordinalOf(this) + 1];
  }

  private static int ordinalOf(Phase phase) {
    return java.util.Arrays.asList(values()).indexOf(phase);
  }
}
