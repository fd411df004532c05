package dev.chatflow.client.result;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Marks that somebody else set: lines of the file {@code events} in the run's directory, each an
 * instant and a text, such as {@code 2026-11-20T19:01:30Z broker restarted}. Stateless.
 */
public final class Events {

  /** One mark, in seconds since the run's start. */
  public record Event(double seconds, String label) {}

  private Events() {}

  /** The marks of a directory; a line that begins with no instant is left out. */
  static List<Event> read(Path directory, Instant started) throws IOException {
    Path file = directory.resolve("events");
    if (!Files.isReadable(file)) {
      return List.of();
    }
    List<Event> events = new ArrayList<>();
    Files.readAllLines(file).forEach(line -> add(line.strip(), started, events));
    return events;
  }

  private static void add(String line, Instant started, List<Event> events) {
    String[] parts = line.split("\\s+", 2);
    try {
      Duration since = Duration.between(started, Instant.parse(parts[0]));
      events.add(new Event(since.toMillis() / 1e3, parts.length < 2 ? "" : parts[1]));
    } catch (DateTimeException e) {
      return; // no instant: nowhere to draw it
    }
  }
}
