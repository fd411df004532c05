package dev.chatflow.record;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Compares one room's recorded messages, in order, with what its members saw: each message of the
 * run once, with its original text, and none before a message that members saw earlier. One thread.
 */
final class OrderComparison {

  /** The low bits of a JOIN's time, which identify it. */
  private static final long JOIN_MASK = 0x7fff_ffff;

  /** A message as the standalone consumer returns it. */
  record Recorded(String messageType, String messageId, String message, boolean synthetic) {}

  private final String room;
  private final Map<String, SeenOrder.Stand> left;
  private final Map<Integer, Integer> reached = new HashMap<>();
  private final List<String> differences = new ArrayList<>();
  private int position;

  /** Starts the comparison; recorded messages are removed from {@code seen}. */
  OrderComparison(String room, SeenOrder seen) {
    this.room = room;
    this.left = seen.stands();
  }

  /** Compares the next recorded message of the room. */
  void next(Recorded message) {
    position++;
    if (message.synthetic()) {
      return; // made by a server, not by a client
    }
    SentText text = SentText.of(message.message());
    String name = name(message, text);
    SeenOrder.Stand stand = left.remove(name);
    if (stand == null) {
      differ(name + " is recorded twice, or no member saw it");
    } else if (text == null || !text.intact() || !text.messageId().equals(message.messageId())) {
      differ(name + " has a different text than was sent");
    } else if (reached.merge(stand.part(), stand.index(), Math::max) > stand.index()) {
      differ(name + " is recorded after a message that members saw later");
    }
  }

  private static String name(Recorded message, @Nullable SentText text) {
    long join =
        text != null && message.messageType().equals("JOIN") ? text.dueMicros() & JOIN_MASK : 0;
    return SeenOrder.name(message.messageId(), join);
  }

  private void differ(String what) {
    differences.add("room %s, message %d: %s".formatted(room, position, what));
  }

  /** Returns the number of messages read. */
  int count() {
    return position;
  }

  /**
   * Returns the differences: those of recorded messages in order, then the messages that members
   * saw and the archive does not have.
   */
  List<String> end() {
    left.entrySet().stream()
        .sorted(Comparator.comparingInt(each -> each.getValue().index()))
        .map(each ->
            "room %s, message %d: %s was seen but is not recorded"
                .formatted(room, each.getValue().index() + 1, each.getKey()))
        .forEach(differences::add);
    return differences;
  }
}
