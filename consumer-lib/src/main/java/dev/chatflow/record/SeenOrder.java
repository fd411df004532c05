package dev.chatflow.record;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The order in which the members of one room saw its messages, from a load client's file {@code
 * order.csv}. One thread.
 */
final class SeenOrder {

  static final String HEADER = "room,part,messageId,join";

  private static final int COLUMNS = 4;

  /**
   * The position of a message.
   *
   * @param part the order between messages of different parts is unknown
   * @param index index in the room
   */
  record Stand(int part, int index) {}

  private final Map<String, Stand> stands = new HashMap<>();

  /** Returns the name of a message; JOINs include their time, because a user may join again. */
  static String name(String messageId, long join) {
    return join == 0 ? messageId : messageId + "@" + join;
  }

  /** Returns the positions by message; recorded messages are removed. */
  Map<String, Stand> stands() {
    return stands;
  }

  void add(int part, String name) {
    stands.put(name, new Stand(part, stands.size()));
  }

  /**
   * Reads a client's file, by room.
   *
   * @throws IOException if it does not exist
   * @throws IllegalArgumentException if it is malformed
   */
  static Map<String, SeenOrder> read(Path file) throws IOException {
    Map<String, SeenOrder> rooms = new TreeMap<>();
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      if (!HEADER.equals(lines.readLine())) {
        throw new IllegalArgumentException("not a file of orders: its first line is not " + HEADER);
      }
      lines.lines().forEach(line -> read(line, rooms));
      return rooms;
    } catch (NoSuchFileException e) {
      throw new IOException("cannot compare: file not found: " + file, e);
    } catch (UncheckedIOException e) {
      throw new IOException("cannot compare: " + file + " cannot be read", e);
    }
  }

  private static void read(String line, Map<String, SeenOrder> rooms) {
    String[] fields = line.split(",", -1);
    if (fields.length != COLUMNS) {
      throw new IllegalArgumentException("not a line of orders: " + line);
    }
    rooms
        .computeIfAbsent(fields[0], _ -> new SeenOrder())
        .add(Integer.parseInt(fields[1]), name(fields[2], Long.parseLong(fields[3])));
  }
}
