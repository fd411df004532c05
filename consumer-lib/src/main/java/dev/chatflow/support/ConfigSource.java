package dev.chatflow.support;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where values come from: an option wins over a system property, that over the environment, that
 * over a file.
 *
 * @param options values given on a command line, by environment name
 * @param properties by property name
 * @param environment by environment name
 * @param file by environment name
 */
public record ConfigSource(
    Map<String, String> options,
    Map<String, String> properties,
    Map<String, String> environment,
    Map<String, String> file) {

  /** Names the file, by environment name: the one key that is not read from it. */
  public static final String FILE = "CHATFLOW_CONFIG";

  /**
   * What this process was given; {@code options} were given on its command line.
   *
   * @throws ConfigException when the file that is named cannot be read
   */
  public static ConfigSource ofProcess(Map<String, String> options) throws ConfigException {
    Properties given = System.getProperties();
    Map<String, String> properties = named(given);
    ConfigSource source = new ConfigSource(options, properties, System.getenv(), Map.of());
    String file = source.given(FILE);
    return file == null || file.isEmpty()
        ? source
        : new ConfigSource(options, properties, System.getenv(), read(file));
  }

  private static final Pattern QUOTED = Pattern.compile("(?s)^([\"'])(.*)\\1$");

  /** The text given under an environment name, wherever; null when none was. */
  public @Nullable String given(String environmentName) {
    String inFile = file.get(environmentName);
    String inEnvironment = environment.getOrDefault(environmentName, inFile);
    String property = properties.getOrDefault(propertyName(environmentName), inEnvironment);
    return options.getOrDefault(environmentName, property);
  }

  /** {@code chatflow.lane.bytes} of {@code CHATFLOW_LANE_BYTES}. */
  static String propertyName(String environmentName) {
    return environmentName.toLowerCase(Locale.ROOT).replace('_', '.');
  }

  /** {@code CHATFLOW_LANE_BYTES} of {@code chatflow.lane.bytes}. */
  public static String environmentName(String propertyName) {
    return propertyName.toUpperCase(Locale.ROOT).replace('.', '_');
  }

  private static Map<String, String> read(String file) throws ConfigException {
    Properties lines = new Properties();
    try (Reader reader = Files.newBufferedReader(Path.of(file))) {
      lines.load(reader);
    } catch (IOException | IllegalArgumentException e) {
      String why = FILE + "=" + file + " is not a file of KEY=value lines that can be read: " + e;
      throw new ConfigException(List.of(why));
    }
    if (lines.containsKey(FILE)) {
      throw new ConfigException(List.of(file + " names another file, " + FILE + ": there is one"));
    }
    Map<String, String> values = named(lines);
    values.replaceAll((_, value) -> unquoted(value));
    return values;
  }

  /** A value without quotes around it, as systemd and setenv.sh read the same file. */
  private static String unquoted(String value) {
    return QUOTED.matcher(value).replaceFirst("$2");
  }

  private static Map<String, String> named(Properties given) {
    Map<String, String> values = new HashMap<>();
    given.stringPropertyNames().forEach(name -> values.put(name, given.getProperty(name)));
    return values;
  }
}
