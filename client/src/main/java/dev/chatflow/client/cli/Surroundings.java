package dev.chatflow.client.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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
        userFile(Path.of(System.getProperty("user.home"), ".chatflow-client.properties")),
        isTerminal(),
        Interruption::ofProcess);
  }

  /** Prints a result. */
  void print(String text) {
    out.println(text);
    out.flush();
  }

  private static Properties userFile(Path path) {
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
