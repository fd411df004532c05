package dev.chatflow.chat.cli;

import dev.chatflow.chat.ChatException;
import dev.chatflow.chat.ChatFlow;
import dev.chatflow.chat.Room;
import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.ExitCode;
import dev.chatflow.client.cli.OptionDefaults;
import dev.chatflow.client.cli.TargetOptions;
import dev.chatflow.client.plan.Target;
import dev.chatflow.client.transport.Access;
import dev.chatflow.client.transport.Tokens;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code chat}: sends typed lines to a room, except commands. */
@Command(
    name = "chat",
    description = "join a room and type",
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    footerHeading = "%nCommands while you type:%n",
    footer = ChatCommand.COMMANDS)
final class ChatCommand implements Callable<ExitCode> {
  static final String COMMANDS =
      "  /join ROOM  leaves this room for another%n"
          + "  /leave      leaves the room; further text is rejected%n"
          + "  /quit       leaves and ends, as does the end of the input%n"
          + "  /help       shows this help%n"
          + "  //TEXT      sends /TEXT";

  private static final String JOIN = "/join";
  private static final Pattern ROOM = Pattern.compile("[A-Za-z0-9_-]{1,64}");

  private static final Pattern UNKNOWN = Pattern.compile("/[^/].*|/");

  private static final int MAX_TYPED_LINES = 100;

  /** The protocol's maximum numeric user id. */
  private static final int MOST_USERS = 100_000;

  private final InputStream in;
  private final Screen screen;
  private final OptionDefaults defaults;

  /** Typed lines; an empty value when the room has stopped. */
  private final BlockingQueue<Optional<String>> typed = new ArrayBlockingQueue<>(MAX_TYPED_LINES);

  @Mixin private TargetOptions targets = new TargetOptions();

  /** Random, as in the page, because a second connection with the same id closes the first. */
  @Option(names = "--user", description = "user ID [default: a random number]")
  private String userId = Integer.toString(ThreadLocalRandom.current().nextInt(MOST_USERS) + 1);

  @Option(names = "--name", defaultValue = "", description = "user name [default: user<ID>]")
  private String name = "";

  @Option(names = "--room", defaultValue = "1", description = "room [default: ${DEFAULT-VALUE}]")
  private String room = "1";

  @Option(
      names = "--history",
      defaultValue = "20",
      description = "number of earlier messages to show, 0..100 [default: ${DEFAULT-VALUE}]")
  private int history = 20;

  ChatCommand(InputStream in, PrintStream out, OptionDefaults defaults) {
    this.in = in;
    this.defaults = defaults;
    this.screen = new Screen(out);
  }

  @Override
  public ExitCode call() throws InterruptedException {
    dev.chatflow.client.cli.Main.requireKnown(defaults);
    if (name.isEmpty()) {
      name = "user" + userId;
    }
    CommandFailure.requireRange("--history", history, 0, 100);
    Thread.ofVirtual().name("chat-input").start(this::readLines);
    String next = room;
    while (!next.isEmpty()) {
      next = inRoom(next);
    }
    return ExitCode.PASSED;
  }

  /** Chats in one room; returns the next room, or an empty text to quit. */
  private String inRoom(String id) throws InterruptedException {
    try (ChatFlow chat = chatIn(id)) {
      Visit visit = new Visit(screen, () -> typed.offer(Optional.empty()));
      Room joined = chat.join(id, visit);
      String trouble = visit.awaitArrival();
      if (!trouble.isEmpty()) {
        throw new CommandFailure(
            ExitCode.UNREACHABLE, "room " + id + " cannot be entered: " + trouble);
      }
      screen.print("room " + id + " as " + name + "; /help lists the commands");
      return type(joined);
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage(String.valueOf(e.getMessage()));
    }
  }

  private static CommandFailure unreachable(String why) {
    return new CommandFailure(ExitCode.UNREACHABLE, "no connection: " + why);
  }

  private String type(Room joined) throws InterruptedException {
    while (true) {
      Optional<String> line = typed.take();
      if (line.isEmpty()) {
        return ""; // stopped, as already printed
      }
      String text = line.get();
      if (text.equals("/quit")) {
        return "";
      }
      if (text.equals(JOIN) || text.startsWith(JOIN + " ")) {
        String next = text.substring(JOIN.length()).strip();
        if (ROOM.matcher(next).matches()) {
          return next;
        }
        screen.print("! /join ROOM: a room has 1 to 64 of A-Z a-z 0-9 _ -");
        continue;
      }
      switch (text) {
        case "/help" -> String.format(Locale.ROOT, COMMANDS).lines().forEach(screen::print);
        case "/leave" -> joined.leave().join();
        default -> {
          if (UNKNOWN.matcher(text).matches()) {
            screen.print("! unknown command " + text + "; /help lists the commands");
          } else {
            sayIfPossible(joined, text.startsWith("//") ? text.substring(1) : text);
          }
        }
      }
    }
  }

  private void sayIfPossible(Room joined, String text) {
    try {
      say(joined, text);
    } catch (IllegalArgumentException e) { // such as an overlong line
      screen.print("! " + e.getMessage());
    }
  }

  private void say(Room joined, String text) {
    long started = System.nanoTime();
    var _ =
        joined
            .send(text)
            .whenComplete((message, failure) -> {
              if (failure instanceof ChatException refused) {
                screen.print("! " + refused.code() + " " + refused.getMessage());
              } else if (failure == null) {
                screen.own(message, (System.nanoTime() - started) / 1_000_000);
              }
            });
  }

  private ChatFlow chatIn(String id) {
    Access access = targets.access();
    HttpClient.Builder http = HttpClient.newBuilder();
    if (access.certificates() != null) {
      http.sslContext(access.certificates());
    }
    access.localAddresses().stream().findFirst().ifPresent(http::localAddress);
    ChatFlow.Builder builder =
        ChatFlow.to(base(targets.target()))
            .user(userId, name)
            .history(history)
            .members(0)
            .http(http.build());
    for (String line : access.headers()) {
      int colon = line.indexOf(':');
      builder.header(line.substring(0, colon), line.substring(colon + 1).strip());
    }
    Tokens tokens = targets.tokens();
    if (tokens != null) {
      builder.token(() -> tokens.of(userId, name, id));
    }
    return builder.build();
  }

  /** Returns the address of the server's page, computed from its chat address. */
  private static URI base(Target target) {
    if (!target.uriOfServer(0, 1).getPath().endsWith("/chat/1")) {
      throw unreachable("not found" + Target.hint("HTTP/1.1 404"));
    }
    return target.pageOf(0, "/");
  }

  private void readLines() {
    try {
      BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.isBlank()) {
          typed.put(Optional.of(line.strip()));
        }
      }
      typed.put(Optional.of("/quit"));
    } catch (IOException e) {
      screen.print("input: " + e.getMessage());
      typed.offer(Optional.empty());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
