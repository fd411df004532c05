package dev.chatflow.log;

import dev.chatflow.message.Line;
import dev.chatflow.message.LineReader;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The lines of one entry, read one by one: a line stays current until it was taken.
 *
 * <p>One thread. Blank lines are skipped.
 */
final class Lines {

  private static final int NOT_READ = -1;

  private final LineReader reader = new LineReader();

  private byte[] body = {};
  private boolean several;
  private int from;
  private int to;
  private int taken;
  private @Nullable Line line;

  /** Starts the lines of an entry. */
  void begin(Arrival arrival) {
    body = arrival.body();
    several = arrival.content() == Arrival.Content.LINES;
    boolean none =
        switch (arrival.content()) {
          case LINE, LINES -> false;
          case NOTHING, PRESENCE, BLOCK, UNKNOWN -> true;
        };
    from = 0;
    to = none ? body.length : NOT_READ;
    taken = 0;
    line = null;
    if (none) {
      from = body.length;
    } else {
      find();
    }
  }

  /** Finds the next line from {@code from} on, after blank ones. */
  private void find() {
    while (from < body.length) {
      to = several ? endOfLine() : body.length;
      if (!isBlank()) {
        return;
      }
      from = to + 1;
    }
  }

  private int endOfLine() {
    int at = from;
    while (at < body.length && body[at] != '\n') {
      at++;
    }
    return at;
  }

  private boolean isBlank() {
    for (int at = from; at < to; at++) {
      if (body[at] != ' ' && body[at] != '\t' && body[at] != '\r') {
        return false;
      }
    }
    return true;
  }

  /** Returns the current line, or null if all were taken. */
  @Nullable Line peek() {
    if (from >= body.length) {
      return null;
    }
    Line known = line;
    if (known == null) {
      known = reader.read(body, from, to);
      line = known;
    }
    return known;
  }

  /** Moves to the next line. */
  void next() {
    from = to + 1;
    line = null;
    taken++;
    find();
  }

  /** Returns a copy of the current line as received. Valid only until its payload was requested. */
  byte[] copy() {
    return Arrays.copyOfRange(body, from, to);
  }

  /** Returns the number of lines taken. */
  int taken() {
    return taken;
  }
}
