package dev.chatflow.client.report;

import java.util.function.IntSupplier;

/**
 * The capabilities of a stream for people. Immutable.
 *
 * @param terminal whether lines can be overwritten
 * @param colour whether colours are allowed
 * @param blocks whether it can show the blocks of small curves
 * @param width current columns
 */
public record Screen(boolean terminal, boolean colour, boolean blocks, IntSupplier width) {
  public static final int USUAL_WIDTH = 80;

  /** A file or a pipe. */
  public static final Screen NONE = new Screen(false, false, false, () -> USUAL_WIDTH);

  private static final String GREEN = "\u001b[32m";
  private static final String RED = "\u001b[31m";
  private static final String PLAIN = "\u001b[0m";

  /** Returns a text whose first line, the verdict, is green or red if colours are allowed. */
  public String verdict(boolean passed, String text) {
    int end = text.indexOf('\n');
    return end < 0
        ? coloured(passed, text)
        : coloured(passed, text.substring(0, end)) + text.substring(end);
  }

  private String coloured(boolean good, String line) {
    return colour ? (good ? GREEN : RED) + line + PLAIN : line;
  }

  /** Returns a text in red if colours are allowed. */
  String alarm(String text) {
    return coloured(false, text);
  }
}
