package dev.chatflow.lab.node;

/**
 * The load had ended before the fault had struck as planned: on a busy machine that proves nothing,
 * and a longer load may.
 */
public final class FaultOutlasted extends Exception {

  private static final long serialVersionUID = 1;

  FaultOutlasted() {
    this("the fault outlasted the load");
  }

  /** Says what there was no time for. */
  public FaultOutlasted(String what) {
    super(what);
  }
}
