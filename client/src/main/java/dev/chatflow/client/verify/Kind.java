package dev.chatflow.client.verify;

/** The type of a message, spelled as on the wire. */
public enum Kind {
  TEXT,
  JOIN,
  LEAVE
}
