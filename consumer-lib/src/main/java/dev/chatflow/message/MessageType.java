package dev.chatflow.message;

/** What a message does; the names are those of the wire. */
public enum MessageType {
  TEXT,
  JOIN,
  LEAVE
}
