package dev.chatflow.server.simulation.plan;

/**
 * One step of a plan.
 *
 * @param number its name, which does not change when others are left out
 * @param actor the server it concerns
 * @param value random number for further decisions
 */
public record Step(int number, long atMillis, int actor, Action action, long value) {

  /** The action of a step. */
  public enum Action {
    JOIN,
    TEXT,
    LEAVE,
    CUT_CONNECTION,
    CUT_READING,
    FREEZE,
    BOOT,
    DRAIN,
    CUT_TAIL,
    CUT_CLIENT,
    STALL_CLIENT,
    POST
  }

  /** Returns 0 to {@code bound - 1}. */
  public int below(int bound) {
    return (int) Long.remainderUnsigned(value, bound);
  }
}
