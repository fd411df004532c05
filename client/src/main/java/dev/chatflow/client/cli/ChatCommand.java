package dev.chatflow.client.cli;

import com.google.gson.JsonObject;
import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.ExitCode;
import dev.chatflow.client.cli.option.TargetOptions;
import dev.chatflow.client.dialogue.Dialogue;
import dev.chatflow.client.plan.Target;
import dev.chatflow.client.transport.Transport;
import dev.chatflow.client.transport.nio.NioTransport;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code chat}: a person in a room. Lines are sent, but for those that are commands. */
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
          + "  /leave      leaves the room and stays connected; what is typed then is refused%n"
          + "  /quit       leaves and ends; so does the end of the input%n"
          + "  /help       shows these lines";

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration GLANCE = Duration.ofMillis(20);
  private static final int MAX_TYPED_LINES = 100;

  private final Surroundings surroundings;
  private final BlockingQueue<String> typed = new ArrayBlockingQueue<>(MAX_TYPED_LINES);

  @Mixin private TargetOptions targets = new TargetOptions();

  @Option(names = "--user", defaultValue = "1", description = "user id (default ${DEFAULT-VALUE})")
  private String userId = "1";

  @Option(names = "--name", defaultValue = "", description = "user name (default user<id>)")
  private String name = "";

  @Option(names = "--room", defaultValue = "1", description = "room (default ${DEFAULT-VALUE})")
  private String room = "1";

  ChatCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public ExitCode call() throws IOException, InterruptedException {
    if (name.isEmpty()) {
      name = "user" + userId;
    }
    Thread.ofVirtual().name("chat-input").start(this::readLines);
    try (Transport transport = new NioTransport(1, targets.access())) {
      String next = room;
      while (!next.isEmpty()) {
        next = inRoom(transport, targets.target(), next);
      }
    }
    return ExitCode.PASSED;
  }

  /** Chats in one room and returns the next one, or an empty text to quit. */
  private String inRoom(Transport transport, Target target, String id)
      throws IOException, InterruptedException {
    Dialogue dialogue = new Dialogue(transport, target, 0, id, targets.pass(userId, name, id));
    if (!dialogue.opens(PATIENCE)) {
      throw new CommandFailure(ExitCode.UNREACHABLE, dialogue.unopened());
    }
    surroundings.print("room " + id + " as " + name + "; /help lists the commands");
    send(dialogue, "JOIN", "");
    while (dialogue.ended().isEmpty()) {
      Optional<JsonObject> frame = dialogue.await(_ -> true, GLANCE);
      frame.ifPresent(this::show);
      String line = typed.poll();
      if (line == null) {
        continue;
      }
      if (line.equals("/quit") || line.startsWith("/join ")) {
        send(dialogue, "LEAVE", "");
        dialogue.await(this::showsOwnLeave, PATIENCE);
        dialogue.close();
        return line.equals("/quit") ? "" : line.substring("/join ".length()).strip();
      }
      switch (line) {
        case "/help" -> surroundings.print(String.format(Locale.ROOT, COMMANDS));
        case "/leave" -> send(dialogue, "LEAVE", "");
        default -> send(dialogue, "TEXT", line);
      }
    }
    surroundings.print("connection ended: " + dialogue.ended());
    return "";
  }

  private void send(Dialogue dialogue, String type, String text) {
    dialogue.send(
        Dialogue.message(
                type, userId, name, text, System.currentTimeMillis() + "." + UUID.randomUUID())
            .toString());
  }

  private void show(JsonObject json) {
    if (json.has("errorCode")) {
      surroundings.print("! " + error(json));
      return;
    }
    String type = Dialogue.field(json, "messageType");
    String who = Dialogue.field(json, "username");
    String latency = latency(Dialogue.field(json, "messageId"), Dialogue.field(json, "userId"));
    surroundings.print(
        type.equals("TEXT")
            ? who + ": " + Dialogue.field(json, "message") + latency
            : "* " + who + " " + type + latency);
  }

  /** Shows what still comes; an error answers too, to who had left before. */
  private boolean showsOwnLeave(JsonObject json) {
    show(json);
    boolean own = Dialogue.field(json, "userId").equals(userId);
    return json.has("errorCode") || (own && Dialogue.field(json, "messageType").equals("LEAVE"));
  }

  /** Code and sentence, and what is wrong with which field. */
  private static String error(JsonObject json) {
    String fields =
        json.get("errors") instanceof JsonObject errors
            ? errors.keySet().stream()
                .map(field -> field + ": " + Dialogue.field(errors, field))
                .collect(Collectors.joining("; ", " (", ")"))
            : "";
    return Dialogue.field(json, "errorCode") + " " + Dialogue.field(json, "error") + fields;
  }

  /** Time since we sent it, for our own messages. */
  private String latency(String id, String sender) {
    int dot = id.indexOf('.');
    if (!sender.equals(userId) || dot < 0 || !id.substring(0, dot).matches("[0-9]{10,14}")) {
      return "";
    }
    return "  (" + (System.currentTimeMillis() - Long.parseLong(id.substring(0, dot))) + " ms)";
  }

  private void readLines() {
    try {
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(surroundings.in(), StandardCharsets.UTF_8));
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.isBlank()) {
          typed.put(line.strip());
        }
      }
      typed.put("/quit");
    } catch (IOException e) {
      surroundings.err().println("input: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
