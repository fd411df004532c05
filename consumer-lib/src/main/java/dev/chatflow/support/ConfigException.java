package dev.chatflow.support;

import java.util.Collection;

/** Reports an invalid configuration; the message lists all problems. */
public final class ConfigException extends Exception {
  private static final long serialVersionUID = 1L;

  public ConfigException(Collection<String> problems) {
    super("configuration: " + String.join("; ", problems));
  }
}
