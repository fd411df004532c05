package dev.chatflow.chat;

import java.util.List;
import java.util.Map;

/**
 * The members of a room.
 *
 * @param count number of members on all servers
 * @param complete whether the server knows the members of all servers; otherwise there may be more
 * @param names the known members by user id; in a large room not all of them
 */
public record People(int count, boolean complete, Map<String, User> names) {

  public People {
    names = Map.copyOf(names);
  }

  /**
   * Users who came with their first device and left with their last; both lists are empty if only
   * the count changed.
   *
   * @param count the number of members now
   */
  public record Change(List<User> joined, List<User> left, int count) {

    static final Change NONE = new Change(List.of(), List.of(), 0);

    public Change {
      joined = List.copyOf(joined);
      left = List.copyOf(left);
    }
  }
}
