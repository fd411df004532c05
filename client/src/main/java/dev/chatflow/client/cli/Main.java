package dev.chatflow.client.cli;

import dev.chatflow.client.plan.InvalidPlan;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The program: parses the command line, runs one command, exits with its code. */
@Command(
    name = "chatflow-client",
    description = "ChatFlow load client: loads chat servers and proves every delivery.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:passed",
      "1:internal error",
      "2:usage error",
      "3:an objective was missed",
      "4:verification failed",
      "5:target unreachable or unhealthy",
      "6:the client was saturated",
      "130:interrupted, partial results"
    })
public final class Main {
  private static final String SOLUTIONS =
      "Possible solutions: correct the value, or see 'chatflow-client run --help' for options and"
          + " ranges";

  private Main() {}

  /** Starts the client. */
  public static void main(String[] arguments) {
    int code = execute(Surroundings.ofProcess(), arguments);
    System.out.flush();
    Runtime.getRuntime().exit(code);
  }

  static int execute(Surroundings surroundings, String... arguments) {
    CommandLine line = new CommandLine(new Main());
    line.addSubcommand(new RunCommand(surroundings));
    line.addSubcommand(new FindMaxCommand(surroundings));
    line.addSubcommand(new SweepCommand(surroundings));
    line.addSubcommand(new CompareCommand(surroundings));
    line.addSubcommand(new ReportCommand(surroundings));
    line.addSubcommand(new SmokeCommand(surroundings));
    line.addSubcommand(new ProbeCommand(surroundings));
    line.addSubcommand(new ChatCommand(surroundings));
    line.addSubcommand(new AutoComplete.GenerateCompletion());
    Values.accepted(line);
    OptionHelp.install(line);
    line.setDefaultValueProvider(
        new OptionDefaults(surroundings.environment(), surroundings.userFile()));
    line.setOut(new PrintWriter(surroundings.out(), true, StandardCharsets.UTF_8));
    line.setErr(new PrintWriter(surroundings.err(), true, StandardCharsets.UTF_8));
    line.setExecutionExceptionHandler((exception, command, _) -> {
      command.getErr().println(describe(exception));
      return isUsage(exception) ? ExitCodes.USAGE : ExitCodes.INTERNAL;
    });
    line.setParameterExceptionHandler((exception, _) -> {
      PrintWriter err = exception.getCommandLine().getErr();
      err.println(exception.getMessage());
      CommandLine.UnmatchedArgumentException.printSuggestions(exception, err);
      err.println(SOLUTIONS);
      return ExitCodes.USAGE;
    });
    return line.execute(withCommand(line.getSubcommands().keySet(), arguments));
  }

  /** {@code run} is the default: {@code chatflow-client --threads 8 ws://host/chat} works. */
  private static String[] withCommand(Set<String> commands, String[] arguments) {
    boolean own =
        arguments.length > 0
            && (commands.contains(arguments[0])
                || Set.of("-h", "--help", "-V", "--version").contains(arguments[0]));
    if (own) {
      return arguments;
    }
    String[] extended = new String[arguments.length + 1];
    extended[0] = "run";
    System.arraycopy(arguments, 0, extended, 1, arguments.length);
    return extended;
  }

  private static boolean isUsage(Exception exception) {
    return exception instanceof InvalidPlan
        || exception instanceof CommandLine.TypeConversionException;
  }

  private static String describe(Exception exception) {
    if (isUsage(exception)) {
      return exception.getMessage() + "\n" + SOLUTIONS;
    }
    Throwable cause = exception.getCause() == null ? exception : exception.getCause();
    return "internal error: "
        + cause
        + "\n"
        + String.join(
            "\n", Arrays.stream(cause.getStackTrace()).limit(12).map(e -> "  at " + e).toList());
  }

  static String version() {
    String version = Main.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  /** For picocli. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"chatflow-client " + version()};
    }
  }
}
