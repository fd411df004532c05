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
 * The sources of values, in order of precedence: options, system properties, environment, file.
 *
 * @param options values from the command line, by environment name
 * @param properties by property name
 * @param environment by environment name
 * @param file by environment name
 */
public record ConfigSource(
    Map<String, String> options,
    Map<String, String> properties,
    Map<String, String> environment,
    Map<String, String> file) {

  /** The key that names the file; it is the only key not read from the file. */
  public static final String FILE = "CHATFLOW_CONFIG";

  /**
   * Returns the values of this process; {@code options} come from its command line.
   *
   * @throws ConfigException if the named file cannot be read
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

  /** Returns the text given for an environment name by any source; null if there is none. */
  public @Nullable String given(String environmentName) {
    String inFile = file.get(environmentName);
    String inEnvironment = environment.getOrDefault(environmentName, inFile);
    String property = properties.getOrDefault(propertyName(environmentName), inEnvironment);
    return options.getOrDefault(environmentName, property);
  }

  /** Converts {@code CHATFLOW_LANE_BYTES} to {@code chatflow.lane.bytes}. */
  static String propertyName(String environmentName) {
    return environmentName.toLowerCase(Locale.ROOT).replace('_', '.');
  }

  /** Converts {@code chatflow.lane.bytes} to {@code CHATFLOW_LANE_BYTES}. */
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

  /** Removes quotes around a value, because systemd and setenv.sh read the same file. */
  private static String unquoted(String value) {
    return QUOTED.matcher(value).replaceFirst("$2");
  }

  private static Map<String, String> named(Properties given) {
    Map<String, String> values = new HashMap<>();
    given.stringPropertyNames().forEach(name -> values.put(name, given.getProperty(name)));
    return values;
  }
}
