package dev.chatflow.server.publish;

/** What tests of other packages need of this one. */
public final class LaneDoor {

  private LaneDoor() {}

  /** A meter that counts nothing. */
  public static LaneMeter noMeter() {
    return new NoLaneMeter();
  }
}
