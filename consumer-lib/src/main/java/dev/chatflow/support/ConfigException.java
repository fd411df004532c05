package dev.chatflow.support;

import java.util.Collection;

/** A configuration that cannot be used; the message names everything that is wrong. */
public final class ConfigException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Names everything that is wrong. */
  public ConfigException(Collection<String> problems) {
    super("configuration: " + String.join("; ", problems));
  }
}
