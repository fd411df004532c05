package dev.chatflow.server.launch;

import dev.chatflow.server.ServerConfig;
import dev.chatflow.support.ConfigException;
import dev.chatflow.support.EffectiveValues;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The server's configuration as the web application reads it: every key with its effective value,
 * secrets masked.
 *
 * <p>Immutable.
 *
 * @param values by key without prefix, such as {@code PORT}
 * @param text the same as {@code KEY=value} lines
 */
record EffectiveConfig(Map<String, String> values, String text) {

  EffectiveConfig {
    values = Map.copyOf(values);
  }

  /**
   * Reads the configuration of this process.
   *
   * @throws LaunchException if it is invalid
   */
  static EffectiveConfig read() throws LaunchException {
    try {
      EffectiveValues<?> effective = ServerConfig.fromProcess().effective();
      Map<String, String> values = new LinkedHashMap<>();
      effective.values().forEach((key, value) -> values.put(key.name(), value));
      return new EffectiveConfig(values, effective.describe());
    } catch (ConfigException e) {
      throw LaunchException.misconfigured(ContainerLog.reason(e));
    }
  }

  /**
   * Checks that a server would start with this process's configuration, including its files and
   * addresses.
   *
   * @throws LaunchException with the line of a failed start
   */
  static void requireUsable() throws LaunchException {
    try {
      ServerConfig.fromProcess().requireUsable();
    } catch (ConfigException | IOException e) {
      throw LaunchException.misconfigured(ContainerLog.reason(e));
    }
  }

  String value(String key) {
    String value = values.get(key);
    if (value == null) {
      throw new IllegalArgumentException("no configuration key " + key);
    }
    return value;
  }

  int number(String key) {
    return Integer.parseInt(value(key));
  }
}
