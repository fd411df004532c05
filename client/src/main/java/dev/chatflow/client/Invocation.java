package dev.chatflow.client;

import org.jspecify.annotations.Nullable;

/** The command that started this program, for help texts and error messages. Stateless. */
public final class Invocation {
  private static final String PROPERTY = "launcher.command";

  private Invocation() {}

  /** Returns the launcher's name; {@code null} if Java runs the jar directly. */
  public static @Nullable String launcher() {
    return System.getProperty(PROPERTY);
  }
}
