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
 * Compares the orders in which the parts of a run received each room. A part received everything
 * from its first JOIN to its last LEAVE, which both are in the order of every other part that was
 * present. Between them, two parts must have the same messages. Holds one room of every part in
 * memory, about 100 bytes a message.
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

    /** Returns the number of the next room; the maximum if there is none. */
    int room() {
      return next == null ? Integer.MAX_VALUE : Integer.parseInt(next[0]);
    }

    /** Returns the messages of a room in order; times distinguish JOINs of one user. */
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

  /** Returns the differences between the orders; empty if they agree. */
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
          found(Defect.DIVERGENT, room); // its members never received the relation of the pieces
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
      found(Defect.DIVERGENT, room); // never present at the same time: no comparison
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

  /** Returns the messages of an order during which the other part was present. */
  private static List<String> between(List<String> order, List<String> other) {
    int from = Math.max(0, order.indexOf(other.getFirst()));
    int last = order.lastIndexOf(other.getLast());
    return order.subList(from, last < 0 ? order.size() : Math.max(from, last + 1));
  }

  /** Reports messages that members of the other part did not receive. */
  private void lost(List<String> messages, List<String> others, int room) {
    Set<String> known = new HashSet<>(others);
    messages.stream()
        .filter(message -> !known.contains(message))
        .forEach(_ -> found(Defect.LOST, room));
  }

  private void outOfOrder(List<String> one, List<String> other, int room) {
    Map<String, Integer> indexes = new HashMap<>();
    for (int index = 0; index < other.size(); index++) {
      indexes.put(other.get(index), index);
    }
    int highest = -1;
    for (String message : one) {
      int index = indexes.getOrDefault(message, highest);
      if (index < highest) {
        found(Defect.DIVERGENT, room);
      }
      highest = Math.max(highest, index);
    }
  }

  private void found(Defect defect, int room) {
    findings.add(new Findings.Example(defect, room, -1, -1, -1, -1, -1));
  }
}
