package dev.chatflow.delivery;

import dev.chatflow.presence.Person;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * A user who is in a room, with at least one device.
 *
 * @param username the display name of the first device
 * @param joinedMillis when the earliest device joined, in ms since the epoch
 * @param devices the names of all devices, sorted as text, with an empty one for a connection
 *     without a name; empty if that is the only one
 */
public record PresentUser(String userId, String username, long joinedMillis, List<String> devices) {

  /**
   * Returns the first users of sorted members.
   *
   * @param most maximum number of users
   */
  static List<PresentUser> of(Collection<Person> members, int most) {
    List<PresentUser> users = new ArrayList<>();
    for (Person each : members) {
      boolean isFurther = !users.isEmpty() && users.getLast().userId.equals(each.who().userId());
      if (isFurther) {
        users.add(users.removeLast().with(each));
      } else if (users.size() < most) {
        users.add(
            new PresentUser(
                each.who().userId(), each.username(), each.joinedMillis(), device(each)));
      } else {
        return users;
      }
    }
    return users;
  }

  private PresentUser with(Person further) {
    List<String> all = new ArrayList<>(devices.isEmpty() ? List.of("") : devices);
    all.add(further.who().device());
    return new PresentUser(userId, username, Math.min(joinedMillis, further.joinedMillis()), all);
  }

  private static List<String> device(Person person) {
    String device = person.who().device();
    return device.isEmpty() ? List.of() : List.of(device);
  }
}
