package dev.chatflow.client.cli;

import dev.chatflow.client.cli.option.OptionDefaults;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.function.Consumer;

/**
 * What the program finds around it; tests give their own. Immutable.
 *
 * @param terminal whether stderr is a terminal
 * @param signals connects a running command with the signals that interrupt it
 */
record Surroundings(
    PrintStream out,
    PrintStream err,
    Map<String, String> environment,
    Properties userFile,
    boolean terminal,
    Consumer<Interruption> signals) {

  static Surroundings ofProcess() {
    return new Surroundings(
        System.out,
        System.err,
        System.getenv(),
        OptionDefaults.userFile(),
        isTerminal(),
        Interruption::ofProcess);
  }

  /** Prints a result. */
  void print(String text) {
    out.println(text);
    out.flush();
  }

  /** {@code Console} speaks of stdin and stdout only, hence the link. */
  private static boolean isTerminal() {
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
      return !"dumb".equals(System.getenv("TERM"))
          && (target.startsWith("/dev/pts/") || target.startsWith("/dev/tty"));
    } catch (IOException | UnsupportedOperationException e) {
      return false; // no such link here: then plain lines
    }
  }
}
