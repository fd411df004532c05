package dev.chatflow.lab.node;

/** The machine lacks something that a scenario needs, which is therefore reported as skipped. */
public final class Lacking extends Exception {

  private static final long serialVersionUID = 1;

  /** Creates it with the missing part and how to get it. */
  public Lacking(String what) {
    super(what);
  }
}
