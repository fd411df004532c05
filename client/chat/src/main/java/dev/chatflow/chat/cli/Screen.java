package dev.chatflow.chat.cli;

import dev.chatflow.chat.Message;
import dev.chatflow.client.Printable;
import java.io.PrintStream;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

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
    String said = said(message);
    if (message.past()) {
      print(CLOCK.format(message.at()) + " " + said);
    } else if (!message.own()) {
      print(said);
    }
  }

  private static String said(Message message) {
    String who = message.user().name() + action(message.extras().kind());
    return message.text().isEmpty() ? who : who + ": " + message.text();
  }

  /** Describes the action on an earlier message, because a terminal cannot change its lines. */
  private static String action(@Nullable String kind) {
    return switch (kind) {
      case null -> "";
      case "reply" -> " replies";
      case "edit" -> " edits a message";
      case "delete" -> " deletes a message";
      case "reaction" -> " reacts";
      default -> " (" + kind + ")";
    };
  }

  /** Prints a text of the user with the time until its echo. */
  void own(Message message, long millis) {
    if (!message.past()) {
      print(message.user().name() + ": " + message.text() + "  (" + millis + " ms)");
    }
  }
}
