package dev.chatflow.lab.node;

/** Something that a scenario needs is missing on this machine, so the scenario is skipped. */
public final class Lacking extends Exception {

  private static final long serialVersionUID = 1;

  /** Creates it with the missing part and how to get it. */
  public Lacking(String what) {
    super(what);
  }
}
