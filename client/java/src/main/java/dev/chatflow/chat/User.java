package dev.chatflow.chat;

/** A person or program in a room. */
public interface User {

  String id();

  /** Returns the display name. */
  String name();
}
