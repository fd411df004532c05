package dev.chatflow.server.simulation.plan;

/**
 * One step of a plan.
 *
 * @param number its name, which stays when others are left out
 * @param actor which server it concerns
 * @param value what else there is to decide
 */
public record Step(int number, long atMillis, int actor, Action action, long value) {

  /** What happens. */
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

  /** 0 to {@code bound - 1}. */
  public int below(int bound) {
    return (int) Long.remainderUnsigned(value, bound);
  }
}
