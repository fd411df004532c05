package dev.chatflow.lab.listen;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Lets many listen, steered by lines on standard input, one answer a line: a {@link Tally}.
 *
 * <pre>
 * open PER_SECOND FIRST_ROOM ROOMS MEMBERS SPEAKERS_URL URL...   waits until all are in
 * say PER_SECOND MESSAGES      so many in each room; waits until all that are in have them
 * back                         waits until all are in again and have all
 * stop                         disconnects
 * </pre>
 */
final class Listening {
  /** Longer than a server needs to stop and start on a busy machine. */
  private static final int PATIENCE_SECONDS = 120;

  private static final String END = "";

  private @Nullable Audience audience;

  private Listening() {}

  /** Between two lines the connections are served as well. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    BlockingQueue<String> lines = new ArrayBlockingQueue<>(1);
    Thread.ofPlatform().daemon().name("lines").start(() -> read(lines));
    Listening listening = new Listening();
    PrintStream out = System.out;
    for (String line = listening.next(lines); !line.equals(END); line = listening.next(lines)) {
      out.println(listening.answer(List.of(line.split(" ", -1))));
      out.flush();
    }
    listening.stop();
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
    Audience open = audience;
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

  private String answer(List<String> words) throws IOException {
    if (words.getFirst().equals("open")) {
      stop();
      audience = new Audience(Layout.parse(words.subList(1, words.size())), PATIENCE_SECONDS);
    }
    Audience open = audience;
    if (open == null) {
      return "{\"error\":\"open first\"}";
    }
    switch (words.getFirst()) {
      case "open" -> open.open();
      case "say" -> open.say(Double.parseDouble(words.get(1)), Integer.parseInt(words.get(2)));
      case "back" -> open.comeBack();
      case "stop" -> {}
      default -> {
        return "{\"error\":\"there are open, say, back and stop\"}";
      }
    }
    String told = open.tally().json();
    if (words.getFirst().equals("stop")) {
      stop();
    }
    return told;
  }

  private void stop() {
    Audience open = audience;
    if (open != null) {
      open.close();
      audience = null;
    }
  }
}
