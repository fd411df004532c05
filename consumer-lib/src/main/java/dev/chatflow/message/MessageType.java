package dev.chatflow.message;

/** The message types, named as on the wire. */
public enum MessageType {
  TEXT,
  JOIN,
  LEAVE
}
