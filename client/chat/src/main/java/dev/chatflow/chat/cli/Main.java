package dev.chatflow.chat.cli;

import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.ExitCode;
import dev.chatflow.client.Invocation;
import dev.chatflow.client.Version;
import dev.chatflow.client.cli.OptionDefaults;
import dev.chatflow.client.cli.TargetOptions;
import dev.chatflow.client.cli.Values;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The main class of {@code chat}: parses options, chats, and exits with a code of the load client.
 */
public final class Main {

  private Main() {}

  /** Runs the program and exits. */
  public static void main(String[] arguments) {
    OptionDefaults defaults =
        new OptionDefaults(System.getenv(), OptionDefaults.userFile(System.getenv()));
    int code = execute(System.in, System.out, System.err, defaults, arguments);
    System.out.flush();
    Runtime.getRuntime().exit(code);
  }

  static int execute(
      InputStream in,
      PrintStream out,
      PrintStream err,
      OptionDefaults defaults,
      String... arguments) {
    CommandLine line = new CommandLine(new ChatCommand(in, out, defaults));
    String launcher = Invocation.launcher();
    line.setCommandName(launcher == null ? "java -jar chatflow-chat.jar" : launcher + " chat");
    Values.accepted(line);
    OptionSpec byRoom = line.getCommandSpec().findOption("--by-room");
    if (byRoom != null) { // meaningless for one user
      line.getCommandSpec().remove(byRoom);
    }
    line.setDefaultValueProvider(
        option -> isOfServers(option) ? defaults.defaultValue(option) : null);
    line.setOut(new PrintWriter(out, true, StandardCharsets.UTF_8));
    line.setErr(new PrintWriter(err, true, StandardCharsets.UTF_8));
    line.getCommandSpec().versionProvider(() -> new String[] {"chatflow-chat " + Version.text()});
    line.setExecutionExceptionHandler((exception, command, _) -> {
      command.getErr().println(exception.getMessage());
      return exception instanceof CommandFailure failure
          ? failure.exitCode().number()
          : ExitCode.FAILED.number();
    });
    int code = line.execute(arguments);
    Object answer = line.getExecutionResult();
    return answer instanceof ExitCode own ? own.number() : code;
  }

  /**
   * Returns whether an option is shared with the load client, whose environment variables and file
   * then apply.
   */
  private static boolean isOfServers(ArgSpec option) {
    return option.userObject() instanceof Field field
        && field.getDeclaringClass().equals(TargetOptions.class);
  }
}
