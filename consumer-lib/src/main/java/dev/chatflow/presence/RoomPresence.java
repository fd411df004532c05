package dev.chatflow.presence;

import dev.chatflow.room.UserDevice;
import java.util.Collection;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The members of one room by user and device, both sorted as text. One thread. */
public final class RoomPresence {

  static final RoomPresence EMPTY = new RoomPresence();

  /** Sorts after every device. */
  private static final String LAST_DEVICE = "\u007f";

  private final NavigableMap<UserDevice, Person> members = new TreeMap<>();
  private int users;

  RoomPresence() {}

  /** Returns the number of users, however many devices each has. */
  public int users() {
    return users;
  }

  /** Returns the number of memberships: one for each device of a user. */
  public int size() {
    return members.size();
  }

  public Collection<Person> members() {
    return Collections.unmodifiableCollection(members.values());
  }

  /** Returns the members whose user id is greater than this one. */
  public Collection<Person> after(String userId) {
    return members.tailMap(new UserDevice(userId, LAST_DEVICE), false).values();
  }

  @Nullable Person get(UserDevice who) {
    return members.get(who);
  }

  void add(Person person) {
    users += hasUser(person.who().userId()) ? 0 : 1;
    members.put(person.who(), person);
  }

  void remove(UserDevice who) {
    members.remove(who);
    users -= hasUser(who.userId()) ? 0 : 1;
  }

  private boolean hasUser(String userId) {
    UserDevice next = members.ceilingKey(new UserDevice(userId, ""));
    return next != null && next.userId().equals(userId);
  }
}
