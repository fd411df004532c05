package dev.chatflow.client.cli;

import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.ExitCode;
import dev.chatflow.client.Printable;
import dev.chatflow.client.Version;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParseResult;

/** The main class: parses the command line, runs one command and exits with its code. */
@Command(
    name = "chatflow-client",
    description = "ChatFlow load client: loads chat servers and checks every delivery.",
    mixinStandardHelpOptions = true)
public final class Main {
  private static final Set<String> ABOUT_ITSELF = Set.of("-h", "--help", "-V", "--version");

  private Main() {}

  /** Starts the client. */
  public static void main(String[] arguments) {
    Locale.setDefault(Locale.ROOT); // the same number format everywhere
    int code = execute(Surroundings.ofProcess(), arguments);
    System.out.flush();
    Runtime.getRuntime().exit(code);
  }

  static int execute(Surroundings surroundings, String... arguments) {
    OptionDefaults defaults =
        new OptionDefaults(surroundings.environment(), surroundings.userFile());
    CommandLine line = commands(surroundings);
    line.setDefaultValueProvider(defaults);
    line.setUseSimplifiedAtFiles(true); // one argument per line, as in --print-args
    line.setOverwrittenOptionsAllowed(true); // arguments after an argument file take precedence
    line.setOut(new PrintWriter(surroundings.out(), true, StandardCharsets.UTF_8));
    line.setErr(new PrintWriter(surroundings.err(), true, StandardCharsets.UTF_8));
    line.setExecutionStrategy(parsed -> {
      try {
        if (!asksAboutItself(parsed)) {
          defaults.requireKnown(line);
        }
      } catch (CommandFailure e) {
        return report(e, line);
      }
      return exitCode(parsed);
    });
    line.setExecutionExceptionHandler((exception, command, _) -> report(exception, command));
    line.setParameterExceptionHandler((exception, _) -> {
      PrintWriter err = exception.getCommandLine().getErr();
      err.println(exception.getMessage());
      CommandLine.UnmatchedArgumentException.printSuggestions(exception, err);
      err.println(helpHint(exception.getCommandLine()));
      return ExitCode.USAGE.number();
    });
    return line.execute(withCommand(line.getSubcommands().keySet(), arguments));
  }

  /**
   * Rejects environment variables and lines of the user's file that no command has as an option.
   * {@code chat} shares some options.
   */
  public static void requireKnown(OptionDefaults defaults) {
    defaults.requireKnown(commands(Surroundings.ofProcess()));
  }

  /** Returns the program with all its commands. */
  static CommandLine commands(Surroundings surroundings) {
    CommandLine line = new CommandLine(new Main());
    CommandLine run = new CommandLine(new RunCommand(surroundings));
    line.addSubcommand(run);
    line.addSubcommand(new FindMaxCommand(surroundings));
    line.addSubcommand(new SweepCommand(surroundings));
    line.addSubcommand(new CompareCommand(surroundings));
    line.addSubcommand(
        new CommandLine(new ReportCommand(surroundings))
            .addSubcommand(new MergeCommand(surroundings)));
    line.addSubcommand(new SmokeCommand(surroundings));
    line.addSubcommand(new ProbeCommand(surroundings));
    line.addSubcommand(new TokenCommand(surroundings));
    line.addSubcommand(new CompletionCommand(surroundings));
    String launcher = surroundings.launcher();
    if (launcher == null) {
      line.setCommandName("java -jar chatflow-client.jar");
    } else { // ./chatflow load is the default command
      line.setCommandName(launcher);
      run.setCommandName("load");
    }
    Values.accepted(line);
    OptionHelp.install(line);
    CommandLine.IVersionProvider version = () -> new String[] {"chatflow-client " + Version.text()};
    line.getCommandSpec().versionProvider(version);
    line.getSubcommands().values().forEach(one -> one.getCommandSpec().versionProvider(version));
    line.getCommandSpec()
        .usageMessage()
        .exitCodeListHeading("%nExit codes:%n")
        .exitCodeList(ExitCode.list());
    return line;
  }

  private static boolean asksAboutItself(ParseResult parsed) {
    return parsed.isUsageHelpRequested()
        || parsed.isVersionHelpRequested()
        || (parsed.hasSubcommand() && asksAboutItself(parsed.subcommand()));
  }

  /** Runs a command and converts its {@link ExitCode}. */
  private static int exitCode(ParseResult parsed) {
    int code = new CommandLine.RunLast().execute(parsed);
    Object answer = parsed.asCommandLineList().getLast().getExecutionResult();
    return answer instanceof ExitCode own ? own.number() : code;
  }

  /** Adds the default command {@code run}, as for {@code --threads 8 ws://host/chat}. */
  private static String[] withCommand(Set<String> commands, String[] arguments) {
    boolean own =
        arguments.length > 0
            && (commands.contains(arguments[0]) || ABOUT_ITSELF.contains(arguments[0]));
    if (own) {
      return arguments;
    }
    String[] extended = new String[arguments.length + 1];
    extended[0] = "run";
    System.arraycopy(arguments, 0, extended, 1, arguments.length);
    return extended;
  }

  private static int report(Exception exception, CommandLine command) {
    describe(exception).lines().map(Printable::of).forEach(command.getErr()::println);
    if (codeOf(exception) == ExitCode.USAGE) {
      command.getErr().println(helpHint(command));
    }
    return codeOf(exception).number();
  }

  private static String helpHint(CommandLine command) {
    return "For all options: " + command.getCommandSpec().qualifiedName() + " --help";
  }

  private static ExitCode codeOf(Exception exception) {
    return switch (exception) {
      case CommandFailure failure -> failure.exitCode();
      case CommandLine.TypeConversionException _ -> ExitCode.USAGE;
      default -> ExitCode.FAILED;
    };
  }

  private static String describe(Exception exception) {
    if (exception instanceof CommandFailure || codeOf(exception) == ExitCode.USAGE) {
      return String.valueOf(exception.getMessage());
    }
    Throwable cause = exception.getCause() == null ? exception : exception.getCause();
    return Arrays.stream(cause.getStackTrace())
        .limit(12)
        .map(frame -> "\n  at " + frame)
        .collect(Collectors.joining("", "internal error: " + cause, ""));
  }
}
