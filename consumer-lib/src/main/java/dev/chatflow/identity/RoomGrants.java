package dev.chatflow.identity;

import dev.chatflow.room.RoomId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The rooms that a token opens: exact ids, and beginnings of ids such as {@code team-*}. Immutable;
 * any thread.
 *
 * @param ids exact ones
 * @param beginnings without the star; the empty one stands for every room
 */
record RoomGrants(Set<String> ids, List<String> beginnings) {

  private static final String ANY_END = "*";

  /** Every room. */
  static final RoomGrants ALL = new RoomGrants(Set.of(), List.of(""));

  RoomGrants {
    ids = Set.copyOf(ids);
    beginnings = List.copyOf(beginnings);
  }

  /**
   * Reads what a token lists.
   *
   * @throws IllegalArgumentException when an entry can be neither an id nor a beginning of one
   */
  static RoomGrants of(List<String> entries) {
    Set<String> ids = new HashSet<>();
    List<String> beginnings = entries.stream().filter(e -> e.endsWith(ANY_END)).toList();
    for (String entry : entries) {
      String id = entry.endsWith(ANY_END) ? entry.substring(0, entry.length() - 1) : entry;
      if (!RoomId.isValid(id) && !entry.equals(ANY_END)) {
        throw new IllegalArgumentException(
            "the token's rooms must be room ids, beginnings such as team-*, or *");
      }
      if (!entry.endsWith(ANY_END)) {
        ids.add(id);
      }
    }
    return new RoomGrants(
        ids, beginnings.stream().map(each -> each.substring(0, each.length() - 1)).toList());
  }

  boolean allow(RoomId room) {
    return ids.contains(room.value()) || beginnings.stream().anyMatch(room.value()::startsWith);
  }
}
