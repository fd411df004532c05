package dev.chatflow.identity;

import dev.chatflow.room.RoomId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The rooms that a token allows: exact ids, and prefixes of ids such as {@code team-*}. Immutable
 * and thread-safe.
 *
 * @param ids exact ids
 * @param beginnings prefixes without the star; the empty one allows every room
 */
record RoomGrants(Set<String> ids, List<String> beginnings) {

  private static final String ANY_END = "*";

  /** Allows no room. */
  static final RoomGrants NONE = new RoomGrants(Set.of(), List.of());

  /** Allows every room. */
  static final RoomGrants ALL = new RoomGrants(Set.of(), List.of(""));

  RoomGrants {
    ids = Set.copyOf(ids);
    beginnings = List.copyOf(beginnings);
  }

  /**
   * Parses the list in a token.
   *
   * @param claim its name
   * @throws IllegalArgumentException if an entry is neither a valid id nor a valid prefix
   */
  static RoomGrants of(String claim, List<String> entries) {
    Set<String> ids = new HashSet<>();
    List<String> beginnings = entries.stream().filter(e -> e.endsWith(ANY_END)).toList();
    for (String entry : entries) {
      String id = entry.endsWith(ANY_END) ? entry.substring(0, entry.length() - 1) : entry;
      if (!RoomId.isValid(id) && !entry.equals(ANY_END)) {
        throw new IllegalArgumentException(
            "the token's " + claim + " must be room ids, prefixes such as team-*, or *");
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
