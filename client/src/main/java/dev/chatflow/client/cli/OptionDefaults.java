package dev.chatflow.client.cli;

import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Values for options that the command line does not give: environment first, then the user's file.
 *
 * <p>The twin of {@code --room-size} is {@code CHATFLOW_CLIENT_ROOM_SIZE}; the file has {@code
 * room-size=50}. Immutable.
 */
final class OptionDefaults implements IDefaultValueProvider {
  static final String PREFIX = "CHATFLOW_CLIENT_";

  private final Map<String, String> environment;
  private final Properties file;

  OptionDefaults(Map<String, String> environment, Properties file) {
    this.environment = Map.copyOf(environment);
    this.file = file;
  }

  @Override
  public @Nullable String defaultValue(ArgSpec argument) {
    if (!(argument instanceof OptionSpec option) || option.usageHelp() || option.versionHelp()) {
      return null;
    }
    String name = option.longestName().replaceFirst("^--", "");
    String twin = environment.get(twinOf(name));
    return twin != null ? twin : file.getProperty(name);
  }

  static String twinOf(String option) {
    return PREFIX + option.replace('-', '_').toUpperCase(Locale.ROOT);
  }
}
