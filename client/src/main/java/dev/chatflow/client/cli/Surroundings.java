package dev.chatflow.client.cli;

import dev.chatflow.client.Invocation;
import dev.chatflow.client.report.Screen;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The environment of the program; tests replace it. Immutable.
 *
 * @param launcher the launcher's name; {@code null} without a launcher
 * @param progress the capabilities of stderr
 * @param result the capabilities of stdout
 * @param signals connects a command with the signals that interrupt it
 */
record Surroundings(
    PrintStream out,
    PrintStream err,
    Map<String, String> environment,
    Properties userFile,
    @Nullable String launcher,
    Screen progress,
    Screen result,
    Consumer<Interruption> signals) {

  static Surroundings ofProcess() {
    return new Surroundings(
        System.out,
        System.err,
        System.getenv(),
        OptionDefaults.userFile(System.getenv()),
        Invocation.launcher(),
        screen(2, System.err.charset()),
        screen(1, System.out.charset()),
        Interruption::ofProcess);
  }

  /** Prints to stdout. */
  void print(String text) {
    out.println(text);
    out.flush();
  }

  private static Screen screen(int descriptor, Charset charset) {
    boolean terminal = isTerminal(descriptor);
    String wish = System.getenv("NO_COLOR");
    boolean colour = terminal && (wish == null || wish.isEmpty());
    return new Screen(
        terminal, colour, charset.equals(StandardCharsets.UTF_8), new TerminalWidth()::columns);
  }

  /** Returns whether a descriptor is a terminal. {@code Console} covers only stdin and stdout. */
  private static boolean isTerminal(int descriptor) {
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
      return !"dumb".equals(System.getenv("TERM"))
          && (target.startsWith("/dev/pts/") || target.startsWith("/dev/tty"));
    } catch (IOException | UnsupportedOperationException e) {
      return false; // without the link, plain lines
    }
  }

  /** The width of the terminal, read from {@code stty} every 5 seconds. Belongs to one thread. */
  private static final class TerminalWidth {
    private static final long PERIOD_NANOS = 5_000_000_000L;

    private long readNanos;
    private int columns;

    int columns() {
      long now = System.nanoTime();
      if (columns == 0 || now - readNanos > PERIOD_NANOS) {
        readNanos = now;
        columns = readWidth();
      }
      return columns;
    }

    private static int readWidth() {
      ProcessBuilder stty = new ProcessBuilder("stty", "size");
      stty.redirectInput(new File("/dev/tty"));
      stty.redirectError(ProcessBuilder.Redirect.DISCARD);
      try (BufferedReader answer = stty.start().inputReader(StandardCharsets.US_ASCII)) {
        String line = answer.readLine(); // rows and columns
        int columns = line == null ? 0 : Integer.parseInt(line.split(" ", -1)[1]);
        return columns == 0 ? Screen.USUAL_WIDTH : columns;
      } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
        return Screen.USUAL_WIDTH; // no stty or no terminal
      }
    }
  }
}
