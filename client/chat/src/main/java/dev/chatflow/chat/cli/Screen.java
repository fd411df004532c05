package dev.chatflow.chat.cli;

import dev.chatflow.chat.Message;
import dev.chatflow.client.Printable;
import java.io.PrintStream;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** What a person sees, a line each. Any thread. */
final class Screen {

  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());

  private final PrintStream out;

  Screen(PrintStream out) {
    this.out = out;
  }

  /** Prints one line, in which nothing that others wrote acts on the terminal. */
  void print(String line) {
    out.println(Printable.of(line));
    out.flush();
  }

  /** A text of the room; the past has its time before it. Own ones come with {@link #own}. */
  void message(Message message) {
    String said = message.user().name() + ": " + message.text();
    if (message.past()) {
      print(CLOCK.format(message.at()) + " " + said);
    } else if (!message.own()) {
      print(said);
    }
  }

  /** An own text that has come back, and after how long. */
  void own(Message message, long millis) {
    if (!message.past()) {
      print(message.user().name() + ": " + message.text() + "  (" + millis + " ms)");
    }
  }
}
