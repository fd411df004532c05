package dev.chatflow.chat;

import java.util.List;
import java.util.Map;

/**
 * Who is in a room.
 *
 * @param count how many
 * @param complete whether {@code names} are all of them, as the server says
 * @param names those known, by user id
 */
public record People(int count, boolean complete, Map<String, User> names) {

  public People {
    names = Map.copyOf(names);
  }

  /**
   * Who came and who went.
   *
   * @param count how many are there now
   */
  public record Change(List<User> joined, List<User> left, int count) {

    static final Change NONE = new Change(List.of(), List.of(), 0);

    public Change {
      joined = List.copyOf(joined);
      left = List.copyOf(left);
    }

    boolean isEmpty() {
      return joined.isEmpty() && left.isEmpty();
    }
  }
}
