package dev.chatflow.client.cli;

import dev.chatflow.client.CommandFailure;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Supplies values for options that are not on the command line: environment first, then the user's
 * file.
 *
 * <p>The environment variable of {@code --room-size} is {@code CHATFLOW_CLIENT_ROOM_SIZE}; the file
 * has {@code room-size=50}. An option with several long names has one variable for each. Immutable.
 */
public final class OptionDefaults implements IDefaultValueProvider {
  private static final String PREFIX = "CHATFLOW_CLIENT_";
  private static final Collector<CharSequence, ?, String> OR =
      Collectors.collectingAndThen(
          Collectors.joining(" or "),
          names -> names.isEmpty() ? "" : "; did you mean " + names + "?");

  private final Map<String, String> environment;
  private final Properties file;

  public OptionDefaults(Map<String, String> environment, Properties file) {
    this.environment = Map.copyOf(environment);
    this.file = file;
  }

  /**
   * Reads {@code ~/.chatflow-client.properties} if it exists. {@code HOME} determines the home
   * directory, as in a shell; Java's property {@code user.home} ignores it.
   */
  public static Properties userFile(Map<String, String> environment) {
    String home = environment.getOrDefault("HOME", "");
    Path path =
        Path.of(
            home.isEmpty() ? System.getProperty("user.home") : home, ".chatflow-client.properties");
    Properties properties = new Properties();
    if (Files.isReadable(path)) {
      try (Reader reader = Files.newBufferedReader(path, StandardCharsets.UTF_8)) {
        properties.load(reader);
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read " + path, e);
      }
    }
    return properties;
  }

  @Override
  public @Nullable String defaultValue(ArgSpec argument) {
    if (!(argument instanceof OptionSpec option) || option.usageHelp() || option.versionHelp()) {
      return null;
    }
    List<String> names = longNames(option);
    return Stream.concat(
            names.stream().map(name -> environment.get(twinOf(name))),
            names.stream().map(file::getProperty))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  /**
   * Rejects names that no command has as an option, because a misspelt one would have no effect.
   *
   * @param line the program with all its commands
   */
  public void requireKnown(CommandLine line) {
    Set<String> known = new HashSet<>();
    for (CommandLine command : line.getSubcommands().values()) {
      command.getCommandSpec().options().forEach(option -> known.addAll(longNames(option)));
    }
    CommandLine run = Objects.requireNonNull(line.getSubcommands().get("run"));
    for (String variable : environment.keySet()) {
      boolean isKnown = known.stream().anyMatch(option -> twinOf(option).equals(variable));
      if (variable.startsWith(PREFIX) && !isKnown) {
        String name = variable.replace(PREFIX, "").replace('_', '-').toLowerCase(Locale.ROOT);
        String twins = similar(run, name).map(OptionDefaults::twinOf).collect(OR);
        throw CommandFailure.usage(variable + " is not an option of the client" + twins);
      }
    }
    for (String name : file.stringPropertyNames()) {
      if (!known.contains(name)) {
        String others = similar(run, name).collect(OR);
        throw CommandFailure.usage("the properties file has an unknown option: " + name + others);
      }
    }
  }

  /** Returns the names of an option without dashes, as in sweeps, environment and file. */
  public static List<String> longNames(OptionSpec option) {
    return Arrays.stream(option.names())
        .filter(name -> name.startsWith("--"))
        .map(name -> name.substring(2))
        .toList();
  }

  /** Returns the environment variable of an option name without dashes. */
  public static String twinOf(String option) {
    return PREFIX + option.replace('-', '_').toUpperCase(Locale.ROOT);
  }

  private static Stream<String> similar(CommandLine command, String name) {
    return new CommandLine.UnmatchedArgumentException(command, List.of("--" + name))
        .getSuggestions().stream()
            .filter(suggestion -> suggestion.startsWith("--"))
            .map(suggestion -> suggestion.substring(2));
  }
}
