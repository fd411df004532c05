package dev.chatflow.client.cli;

import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.transport.Secrets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * Lists the options of a run with their origin, and writes the argument file that repeats the run.
 * Neither contains secrets. Stateless.
 */
final class Origins {
  private static final Pattern SECRET = Pattern.compile("--?(token|header|H)(=.*)?");

  /** Options that a repetition does not share. */
  private static final Set<String> OF_ONE_RUN =
      Set.of("--out", "--seed", "--server-url", "--again", "--print-args", "--dry-run");

  private Origins() {}

  /** Returns one line per option: {@code --name=value (cli|environment or file|default)}. */
  static List<String> of(ParseResult parsed) {
    List<String> lines = new ArrayList<>();
    for (OptionSpec option : parsed.commandSpec().options()) {
      String name = option.longestName();
      Object value = option.getValue();
      boolean secret = SECRET.matcher(name).matches();
      if (value != null && !secret && !option.hidden() && !option.usageHelp()) {
        lines.add(masked(name + "=" + value) + " (" + origin(parsed, option) + ")");
      }
    }
    return lines;
  }

  /**
   * Returns a file with one argument per line: {@code run @FILE} repeats the run with its seed.
   * Comments replace secrets.
   */
  static String file(ParseResult parsed, Plan plan) {
    List<String> lines = new ArrayList<>();
    for (OptionSpec option : parsed.commandSpec().options()) {
      for (String value : given(parsed, option)) {
        lines.add(line(option, value));
      }
    }
    lines.add("--seed=" + plan.seed());
    lines.addAll(plan.target().urls());
    return String.join("\n", lines) + "\n";
  }

  /**
   * Returns the values of an option from command line, environment or file, without its default.
   */
  private static List<String> given(ParseResult parsed, OptionSpec option) {
    if (OF_ONE_RUN.contains(option.longestName())) {
      return List.of();
    }
    if (parsed.hasMatchedOption(option)) {
      List<String> values = option.originalStringValues();
      return option.isMultiValue() ? values : List.of(values.getLast());
    }
    String other = provided(parsed, option);
    return other == null ? List.of() : List.of(other);
  }

  private static String line(OptionSpec option, String value) {
    String name = option.longestName();
    if (SECRET.matcher(name).matches() || !Secrets.masked(value).equals(value)) {
      return "# " + name + " was secret: add it again";
    }
    return option.arity().max() == 0 ? name : name + "=" + value;
  }

  private static String origin(ParseResult parsed, OptionSpec option) {
    return parsed.hasMatchedOption(option)
        ? "cli"
        : provided(parsed, option) == null ? "default" : "environment or file";
  }

  private static @Nullable String provided(ParseResult parsed, OptionSpec option) {
    IDefaultValueProvider given = parsed.commandSpec().defaultValueProvider();
    return given instanceof OptionDefaults defaults ? defaults.defaultValue(option) : null;
  }

  /** Returns a command line with masked secrets. */
  static List<String> withoutSecrets(List<String> arguments) {
    List<String> shown = new ArrayList<>();
    boolean hide = false;
    for (String argument : arguments) {
      boolean secret = SECRET.matcher(argument).matches();
      if (hide) {
        shown.add("***");
      } else if (secret && argument.contains("=")) {
        shown.add(argument.substring(0, argument.indexOf('=') + 1) + "***");
      } else if (argument.startsWith("-H") && !secret) {
        shown.add("-H***");
      } else {
        shown.add(masked(argument));
      }
      hide = secret && !argument.contains("=");
    }
    return shown;
  }

  static String masked(String text) {
    int value = text.startsWith("-") ? text.indexOf('=') + 1 : 0; // in --option=value
    return text.substring(0, value) + Secrets.masked(text.substring(value));
  }
}
