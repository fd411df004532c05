package dev.chatflow.chat.cli;

import dev.chatflow.chat.Extras;
import dev.chatflow.chat.Message;
import dev.chatflow.client.Printable;
import java.io.PrintStream;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Prints lines for the user. Any thread. */
final class Screen {

  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());

  private final PrintStream out;

  Screen(PrintStream out) {
    this.out = out;
  }

  /** Prints one line, with escaped control characters. */
  void print(String line) {
    out.println(Printable.of(line));
    out.flush();
  }

  /** Prints a text of the room, past ones with their time. {@link #own} prints the user's own. */
  void message(Message message) {
    String said = message.user().name() + action(message.extras()) + ": " + message.text();
    if (message.past()) {
      print(CLOCK.format(message.at()) + " " + said);
    } else if (!message.own()) {
      print(said);
    }
  }

  /** Returns what a text does with an earlier message, for a terminal, where nothing can change. */
  private static String action(Extras extras) {
    return switch (extras.kind()) {
      case null -> "";
      case "reply" -> " replies";
      case "edit" -> " corrects a message";
      case "delete" -> " deletes a message";
      case "reaction" -> " reacts";
      case String kind -> " (" + kind + ")";
    };
  }

  /** Prints a text of the user with the time until its echo. */
  void own(Message message, long millis) {
    if (!message.past()) {
      print(message.user().name() + ": " + message.text() + "  (" + millis + " ms)");
    }
  }
}
