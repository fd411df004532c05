package dev.chatflow.chat.cli;

import dev.chatflow.chat.Message;
import dev.chatflow.client.Printable;
import java.io.PrintStream;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Prints to the user, one line each. Thread-safe. */
final class Screen {

  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());

  private final PrintStream out;

  Screen(PrintStream out) {
    this.out = out;
  }

  /** Prints one line, with terminal control characters of other users removed. */
  void print(String line) {
    out.println(Printable.of(line));
    out.flush();
  }

  /**
   * Prints a text of the room; earlier ones with their time. This user's texts come through {@link
   * #own}.
   */
  void message(Message message) {
    String said = message.user().name() + ": " + message.text();
    if (message.past()) {
      print(CLOCK.format(message.at()) + " " + said);
    } else if (!message.own()) {
      print(said);
    }
  }

  /** Prints a text of this user that has come back, with its latency. */
  void own(Message message, long millis) {
    if (!message.past()) {
      print(message.user().name() + ": " + message.text() + "  (" + millis + " ms)");
    }
  }
}
