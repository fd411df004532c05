package dev.chatflow.delivery;

import dev.chatflow.presence.Person;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A user who is in a room, with at least one device.
 *
 * @param memberships one for each device, sorted by its name as text
 */
public record PresentUser(List<Person> memberships) {

  /**
   * Returns the first users of sorted members.
   *
   * @param most maximum number of users
   */
  static List<PresentUser> of(Collection<Person> members, int most) {
    Map<String, List<Person>> users = new LinkedHashMap<>();
    for (Person each : members) {
      String userId = each.who().userId();
      if (users.size() == most && !users.containsKey(userId)) {
        break;
      }
      users.computeIfAbsent(userId, _ -> new ArrayList<>(1)).add(each);
    }
    return users.values().stream().map(PresentUser::new).toList();
  }

  public String userId() {
    return memberships.getFirst().who().userId();
  }

  /** Returns the display name of the first device. */
  public String username() {
    return memberships.getFirst().username();
  }

  /** Returns when the earliest device joined, in ms since the epoch. */
  public long joinedMillis() {
    return memberships.stream().mapToLong(Person::joinedMillis).min().orElseThrow();
  }

  /**
   * Returns the names of all devices, with an empty one for a connection without a name; empty if
   * that is the only one.
   */
  public List<String> devices() {
    List<String> names = memberships.stream().map(each -> each.who().device()).toList();
    return names.equals(List.of("")) ? List.of() : names;
  }

  /** Returns the JSON object that the newest JOIN carried, or null. */
  public @Nullable String data() {
    return memberships.stream().max(Comparator.comparing(Person::rank)).orElseThrow().data();
  }
}
