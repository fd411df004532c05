package dev.chatflow.lab.node;

/**
 * The load ended before the planned end of the fault. On a busy machine that proves nothing, but a
 * longer load may.
 */
public final class FaultOutlasted extends Exception {

  private static final long serialVersionUID = 1;

  FaultOutlasted() {
    this("the fault outlasted the load");
  }

  /** Creates it with the part that was not reached. */
  public FaultOutlasted(String what) {
    super(what);
  }
}
