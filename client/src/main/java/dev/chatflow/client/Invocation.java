package dev.chatflow.client;

import org.jspecify.annotations.Nullable;

/** How the user started this program, for commands in help texts and error messages. Stateless. */
public final class Invocation {
  private static final String PROPERTY = "chatflow.launcher";

  private Invocation() {}

  /** Returns what the user types before a verb; {@code null} when Java runs the jar directly. */
  public static @Nullable String launcher() {
    return System.getProperty(PROPERTY);
  }
}
