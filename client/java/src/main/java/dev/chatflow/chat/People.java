package dev.chatflow.chat;

import java.util.List;
import java.util.Map;

/**
 * Who is in a room.
 *
 * @param count how many, on all servers
 * @param complete whether the server has heard of all; while it has not, there may be more
 * @param names those known, by user id; in a large room not all
 */
public record People(int count, boolean complete, Map<String, User> names) {

  public People {
    names = Map.copyOf(names);
  }

  /**
   * Who came and who went; nobody where only the count has changed.
   *
   * @param count how many are there now
   */
  public record Change(List<User> joined, List<User> left, int count) {

    static final Change NONE = new Change(List.of(), List.of(), 0);

    public Change {
      joined = List.copyOf(joined);
      left = List.copyOf(left);
    }
  }
}
