package dev.chatflow.lab.node;

/** The machine has not what a scenario needs: it was not played, and that is told. */
public final class Lacking extends Exception {

  private static final long serialVersionUID = 1;

  /** Says what is missing, and how it is had. */
  public Lacking(String what) {
    super(what);
  }
}
