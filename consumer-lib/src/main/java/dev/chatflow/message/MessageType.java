package dev.chatflow.message;

/** The message types, named as on the wire. */
public enum MessageType {
  TEXT,
  JOIN,
  LEAVE,
  /** Like a TEXT, but only members that are connected now get it. */
  SIGNAL;

  /** Returns whether it starts or ends a membership. */
  public boolean changesMembership() {
    return this == JOIN || this == LEAVE;
  }

  /** Returns whether it belongs to the room's past and to the archive. */
  public boolean isKept() {
    return this != SIGNAL;
  }

  /** Returns whether it may have these optional fields: a JOIN only data, a LEAVE none. */
  boolean mayCarry(Extras extras) {
    return switch (this) {
      case TEXT, SIGNAL -> true;
      case JOIN -> extras.kind() == null && extras.ref() == null;
      case LEAVE -> extras.equals(Extras.NONE);
    };
  }
}
