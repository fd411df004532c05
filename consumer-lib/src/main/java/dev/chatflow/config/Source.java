package dev.chatflow.config;

import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

/**
 * Where values come from: an option wins over a system property, that over the environment.
 *
 * @param options values given on a command line, by environment name
 * @param properties by property name
 * @param environment by environment name
 */
public record Source(
    Map<String, String> options, Map<String, String> properties, Map<String, String> environment) {

  /** What this process was given; {@code options} were given on its command line. */
  public static Source ofProcess(Map<String, String> options) {
    Properties given = System.getProperties();
    Map<String, String> properties = new HashMap<>();
    given.stringPropertyNames().forEach(name -> properties.put(name, given.getProperty(name)));
    return new Source(options, properties, System.getenv());
  }
}
