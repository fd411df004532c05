package dev.chatflow.client.report;

import java.util.function.IntSupplier;

/**
 * What a stream that people may read can show. Immutable.
 *
 * @param terminal whether a line can be written over
 * @param colour whether colours are wanted
 * @param blocks whether it has the signs of which small curves are made
 * @param width columns, asked again and again
 */
public record Screen(boolean terminal, boolean colour, boolean blocks, IntSupplier width) {
  public static final int USUAL_WIDTH = 80;

  /** A file or a pipe. */
  public static final Screen NONE = new Screen(false, false, false, () -> USUAL_WIDTH);

  private static final String GREEN = "\u001b[32m";
  private static final String RED = "\u001b[31m";
  private static final String PLAIN = "\u001b[0m";

  /** A text with its first line, the verdict, in green or red where colours are wanted. */
  public String verdict(boolean passed, String text) {
    int end = text.indexOf('\n');
    return end < 0
        ? coloured(passed, text)
        : coloured(passed, text.substring(0, end)) + text.substring(end);
  }

  private String coloured(boolean good, String line) {
    return colour ? (good ? GREEN : RED) + line + PLAIN : line;
  }

  /** A text in red, where colours are wanted. */
  String alarm(String text) {
    return coloured(false, text);
  }
}
