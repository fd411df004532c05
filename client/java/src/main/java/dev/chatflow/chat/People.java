package dev.chatflow.chat;

import java.util.List;
import java.util.Map;

/** The members of a room. */
public interface People {

  /** Returns the number of members on all servers. */
  int count();

  /** Returns whether the server knows the members of all servers; otherwise there may be more. */
  boolean complete();

  /** Returns the known members by user id; in a large room not all of them. */
  Map<String, Member> names();

  /**
   * Users who came with their first device and left with their last; both lists are empty if only
   * the count or the data of a member changed.
   */
  interface Change {

    List<Member> joined();

    List<User> left();

    /** Returns the number of members now. */
    int count();
  }
}
