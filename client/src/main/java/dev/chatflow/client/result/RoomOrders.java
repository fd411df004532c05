package dev.chatflow.client.result;

import dev.chatflow.client.record.Csv;
import dev.chatflow.client.verify.Defect;
import dev.chatflow.client.verify.Findings;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares the orders that the parts of a run saw in each room. A part saw all from its first JOIN
 * to its last LEAVE, both of which stand in the order of whoever was there: between them, two parts
 * must have seen the same, message by message. Holds one room of every part in memory, some 100
 * bytes a message.
 */
public final class RoomOrders {

  /** One part's {@code order.csv}, room by room. */
  private static final class Orders implements AutoCloseable {
    private final BufferedReader file;
    private String @Nullable [] next;
    private boolean inPieces;

    Orders(Path path) throws IOException {
      file = Files.newBufferedReader(path);
      String head = file.readLine();
      next = head == null ? null : cells();
    }

    private String @Nullable [] cells() throws IOException {
      String line = file.readLine();
      return line == null ? null : Csv.cells(line);
    }

    /** Number of the next room; the greatest number when there is none. */
    int room() {
      return next == null ? Integer.MAX_VALUE : Integer.parseInt(next[0]);
    }

    /** The messages of a room, in order; JOINs of one user are told apart by their time. */
    List<String> take(int room) throws IOException {
      List<String> messages = new ArrayList<>();
      inPieces = false;
      String[] row = next;
      String piece = row == null ? "" : row[1];
      while (row != null && Integer.parseInt(row[0]) == room) {
        inPieces |= !row[1].equals(piece);
        messages.add("0".equals(row[3]) ? row[2] : row[2] + "@" + row[3]);
        row = cells();
      }
      next = row;
      return messages;
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }

  private final Findings findings = new Findings();

  private RoomOrders() {}

  /** What differs between the orders of the parts; nothing when they agree. */
  public static Findings compared(List<Path> files) throws IOException {
    RoomOrders comparison = new RoomOrders();
    List<Orders> parts = new ArrayList<>();
    try {
      for (Path file : files) {
        parts.add(new Orders(file));
      }
      comparison.compare(parts);
    } finally {
      for (Orders part : parts) {
        part.close();
      }
    }
    return comparison.findings;
  }

  private void compare(List<Orders> parts) throws IOException {
    while (true) {
      int room = parts.stream().mapToInt(Orders::room).min().orElse(Integer.MAX_VALUE);
      if (room == Integer.MAX_VALUE) {
        return;
      }
      List<List<String>> orders = new ArrayList<>();
      for (Orders part : parts) {
        List<String> order = part.take(room);
        if (part.inPieces) {
          found(Defect.DIVERGENT, room); // its members never saw how the pieces stand
        }
        orders.add(once(order, room));
      }
      for (int one = 0; one < orders.size(); one++) {
        for (int other = one + 1; other < orders.size(); other++) {
          compare(orders.get(one), orders.get(other), room);
        }
      }
    }
  }

  private List<String> once(List<String> order, int room) {
    Set<String> distinct = new LinkedHashSet<>(order);
    for (int more = distinct.size(); more < order.size(); more++) {
      found(Defect.DUPLICATE, room);
    }
    return List.copyOf(distinct);
  }

  private void compare(List<String> one, List<String> other, int room) {
    if (!met(one, other)) {
      found(Defect.DIVERGENT, room); // never there at the same time: nothing can be compared
      return;
    }
    List<String> common = between(one, other);
    List<String> same = between(other, one);
    lost(common, same, room);
    lost(same, common, room);
    outOfOrder(common, same, room);
  }

  private static boolean met(List<String> one, List<String> other) {
    return !one.isEmpty()
        && !other.isEmpty()
        && (one.contains(other.getFirst()) || other.contains(one.getFirst()));
  }

  /** The messages of an order that stand where the other part was in the room too. */
  private static List<String> between(List<String> order, List<String> other) {
    int from = Math.max(0, order.indexOf(other.getFirst()));
    int last = order.lastIndexOf(other.getLast());
    return order.subList(from, last < 0 ? order.size() : Math.max(from, last + 1));
  }

  /** Messages of the first that the other part's members did not get. */
  private void lost(List<String> messages, List<String> others, int room) {
    Set<String> known = new HashSet<>(others);
    messages.stream()
        .filter(message -> !known.contains(message))
        .forEach(_ -> found(Defect.LOST, room));
  }

  private void outOfOrder(List<String> one, List<String> other, int room) {
    Map<String, Integer> places = new HashMap<>();
    for (int place = 0; place < other.size(); place++) {
      places.put(other.get(place), place);
    }
    int highest = -1;
    for (String message : one) {
      int place = places.getOrDefault(message, highest);
      if (place < highest) {
        found(Defect.DIVERGENT, room);
      }
      highest = Math.max(highest, place);
    }
  }

  private void found(Defect defect, int room) {
    findings.add(new Findings.Example(defect, room, -1, -1, -1, -1, -1));
  }
}
