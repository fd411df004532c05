package dev.chatflow.client.cli;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Lists the options in the help by group. Stateless. */
final class OptionHelp {
  private static final String OTHERS = "Other options";
  private static final Map<Class<?>, String> HEADINGS = new LinkedHashMap<>();

  static {
    HEADINGS.put(TargetOptions.class, "Servers");
    HEADINGS.put(WorkloadOptions.class, "Workload");
    HEADINGS.put(PacingOptions.class, "Load model");
    HEADINGS.put(ConnectionOptions.class, "Connections");
    HEADINGS.put(DisturbanceOptions.class, "Disturbance");
    HEADINGS.put(RunOptions.class, "Verdict");
    HEADINGS.put(RunOptions.Parts.class, "Several machines");
    HEADINGS.put(ObserveOptions.class, "Observation");
    HEADINGS.put(OutputOptions.class, "Output");
    HEADINGS.put(OutputOptions.Progress.class, "Output");
    HEADINGS.put(PrintOptions.class, "Output");
  }

  private OptionHelp() {}

  /** Groups the options of every subcommand and keeps the lines of its examples. */
  static void install(CommandLine line) {
    for (CommandLine command : line.getSubcommands().values()) {
      command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, OptionHelp::list);
      command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_FOOTER, OptionHelp::footer);
    }
  }

  /** Returns the visible options by heading, without empty headings. */
  static Map<String, List<OptionSpec>> groups(CommandSpec command) {
    Map<String, List<OptionSpec>> groups = new LinkedHashMap<>();
    HEADINGS.values().forEach(heading -> groups.put(heading, new ArrayList<>()));
    groups.put(OTHERS, new ArrayList<>());
    for (OptionSpec option : command.options()) {
      if (!option.hidden()) {
        groups.computeIfAbsent(headingOf(option), _ -> new ArrayList<>()).add(option);
      }
    }
    groups.values().removeIf(List::isEmpty);
    return groups;
  }

  /** Prints examples without line breaks, so that they can be copied. */
  private static String footer(Help help) {
    return Arrays.stream(help.commandSpec().usageMessage().footer())
        .map(line -> line + System.lineSeparator())
        .collect(Collectors.joining());
  }

  private static String list(Help help) {
    Map<String, List<OptionSpec>> groups = groups(help.commandSpec());
    StringBuilder text = new StringBuilder();
    groups.forEach((heading, options) -> {
      if (groups.size() > 1) {
        text.append(System.lineSeparator()).append(heading).append(':');
        text.append(System.lineSeparator());
      }
      Help.Layout layout = help.createDefaultLayout();
      layout.addOptions(options, help.parameterLabelRenderer());
      text.append(layout);
    });
    return text.toString();
  }

  private static String headingOf(OptionSpec option) {
    return option.userObject() instanceof Field field
        ? HEADINGS.getOrDefault(field.getDeclaringClass(), OTHERS)
        : OTHERS;
  }
}
