package dev.chatflow.client.cli;

import dev.chatflow.client.plan.Plan;
import java.util.Map;
import java.util.Properties;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParseResult;

/** Parses the options of a run from a command line. */
final class Parsed {

  @Command(name = "parsed")
  static final class Options {
    @Mixin RunOptions run = new RunOptions();
    @Mixin OutputOptions output = new OutputOptions();
    @Mixin PrintOptions print = new PrintOptions();
  }

  final Options options = new Options();
  final ParseResult result;

  private Parsed(OptionDefaults defaults, String arguments) {
    CommandLine line = Values.accepted(new CommandLine(options));
    line.setDefaultValueProvider(defaults);
    result = line.parseArgs(arguments.isEmpty() ? new String[0] : arguments.split(" ", -1));
  }

  /** Parses arguments separated by spaces. */
  static Parsed of(String arguments) {
    return new Parsed(new OptionDefaults(Map.of(), new Properties()), arguments);
  }

  static Parsed of(OptionDefaults defaults, String arguments) {
    return new Parsed(defaults, arguments);
  }

  static Plan plan(String arguments) {
    return of(arguments).options.run.plan();
  }
}
