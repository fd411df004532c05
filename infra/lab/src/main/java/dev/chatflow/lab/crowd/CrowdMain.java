package dev.chatflow.lab.crowd;

import com.google.gson.Gson;
import com.google.gson.JsonParseException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Runs a crowd, controlled by lines on standard input. Answers each line with one line: a {@link
 * Tally} in JSON, or {@code {"failure":"..."}}.
 *
 * <pre>
 * open PLAN   connects all members and waits until they are in their rooms
 * speak PACE  lets the speakers send, then waits until all members have everything
 * back        waits until all are in their rooms again and have everything
 * close       disconnects
 * </pre>
 *
 * PLAN and PACE are the fields of {@link Plan} and {@link Pace} as JSON.
 */
final class CrowdMain {
  /** Time without events; longer than a restart of a server on a busy machine. */
  private static final int PATIENCE_SECONDS = 120;

  private static final String END = "";
  private static final Gson GSON = new Gson();

  private @Nullable Crowd crowd;

  private CrowdMain() {}

  /** Also serves the connections between two lines, because servers send pings. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    BlockingQueue<String> lines = new ArrayBlockingQueue<>(1);
    Thread.ofPlatform().daemon().name("lines").start(() -> read(lines));
    CrowdMain main = new CrowdMain();
    for (String line = main.next(lines); !line.equals(END); line = main.next(lines)) {
      System.out.println(GSON.toJson(main.answer(line)));
    }
    main.close();
  }

  private static void read(BlockingQueue<String> lines) {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        lines.put(line);
      }
      lines.put(END);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private String next(BlockingQueue<String> lines) throws IOException, InterruptedException {
    Crowd open = crowd;
    if (open == null) {
      return lines.take();
    }
    String line = lines.poll();
    while (line == null) {
      open.turn();
      line = lines.poll();
    }
    return line;
  }

  private Object answer(String line) {
    String[] words = line.split(" ", 2);
    try {
      return answer(words[0], words.length > 1 ? words[1] : "{}");
    } catch (IOException | IllegalArgumentException | JsonParseException e) {
      close();
      return Map.of("failure", String.valueOf(e.getMessage()));
    }
  }

  private Object answer(String command, String json) throws IOException {
    if (command.equals("open")) {
      close();
      crowd = new Crowd(GSON.fromJson(json, Plan.class), PATIENCE_SECONDS);
    }
    Crowd open = crowd;
    if (open == null) {
      throw new IllegalArgumentException("The first command is open.");
    }
    switch (command) {
      case "open" -> open.open();
      case "speak" -> open.speak(GSON.fromJson(json, Pace.class));
      case "back" -> open.awaitReturn();
      case "close" -> close();
      default -> throw new IllegalArgumentException("The commands are open, speak, back, close.");
    }
    return open.tally();
  }

  private void close() {
    Crowd open = crowd;
    if (open != null) {
      open.close();
      crowd = null;
    }
  }
}
