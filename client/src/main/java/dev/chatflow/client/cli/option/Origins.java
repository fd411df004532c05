package dev.chatflow.client.cli.option;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The options a run worked with and where each came from; secrets are left out. Stateless. */
public final class Origins {
  private static final Pattern SECRET = Pattern.compile("--?(token|header|H)(=.*)?");
  private static final Pattern PASSWORD = Pattern.compile("(://[^:/@]*):[^@/]*@");

  private Origins() {}

  /** {@code --name=value (cli|environment or file|default)}, one each. */
  public static List<String> of(ParseResult parsed) {
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

  private static String origin(ParseResult parsed, OptionSpec option) {
    IDefaultValueProvider given = parsed.commandSpec().defaultValueProvider();
    boolean provided =
        given instanceof OptionDefaults defaults && defaults.defaultValue(option) != null;
    return parsed.hasMatchedOption(option) ? "cli" : provided ? "environment or file" : "default";
  }

  /** A command line as it may be written down. */
  public static List<String> withoutSecrets(List<String> arguments) {
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
    return PASSWORD.matcher(text).replaceAll("$1:***@");
  }
}
