package dev.chatflow.server;

import java.util.List;

/** A configuration that cannot be used; the message names everything that is wrong. */
public final class ConfigException extends Exception {
  private static final long serialVersionUID = 1L;

  ConfigException(List<String> problems) {
    super("configuration: " + String.join("; ", problems));
  }
}
