package dev.chatflow.lab.driver;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Drives servers of several protocols, steered by lines on standard input, one answer a line:
 *
 * <pre>
 * open WIRE HOST PORT ROOMS MEMBERS BYTES   connects, waits until all members are in their rooms
 * rate PER_SECOND SECONDS                   at fixed times; then judges every delivery, disconnects
 * window MESSAGES SECONDS                   the same as fast as can be, so many own messages under way
 * </pre>
 *
 * What fails is answered as {@code {"failure":"..."}}.
 */
final class Driver {
  /** Longer than a busy machine stands still. */
  private static final int PATIENCE_SECONDS = 30;

  private @Nullable Drive drive;

  private Driver() {}

  public static void main(String[] arguments) throws IOException {
    Driver driver = new Driver();
    PrintStream out = System.out;
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        out.println(driver.answer(List.of(line.split(" ", -1))).json());
        out.flush();
      }
    } finally {
      driver.close();
    }
  }

  private Outcome answer(List<String> words) {
    try {
      return words.getFirst().equals("open") ? open(words) : load(words);
    } catch (IOException | IllegalArgumentException e) {
      close();
      return Outcome.failed(String.valueOf(e.getMessage()));
    }
  }

  private Outcome open(List<String> words) throws IOException {
    close();
    Drive opened =
        new Drive(
            Wire.of(words.get(1)), Plan.parse(words.subList(2, words.size())), PATIENCE_SECONDS);
    drive = opened;
    opened.open();
    return Outcome.failed("");
  }

  private Outcome load(List<String> words) throws IOException {
    Drive opened = drive;
    if (opened == null) {
      return Outcome.failed("open first");
    }
    try {
      return opened.load(Pace.parse(words.get(0), words.get(1)), Integer.parseInt(words.get(2)));
    } finally {
      close();
    }
  }

  private void close() {
    Drive opened = drive;
    if (opened != null) {
      opened.close();
      drive = null;
    }
  }
}
