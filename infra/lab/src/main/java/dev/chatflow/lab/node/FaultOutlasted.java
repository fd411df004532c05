package dev.chatflow.lab.node;

/**
 * The load had ended before the fault: on a busy machine that proves nothing, and a longer load
 * may.
 */
public final class FaultOutlasted extends Exception {

  private static final long serialVersionUID = 1;

  FaultOutlasted() {
    super("the fault outlasted the load");
  }
}
