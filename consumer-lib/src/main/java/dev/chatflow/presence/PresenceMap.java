package dev.chatflow.presence;

import dev.chatflow.broker.Lane;
import dev.chatflow.room.UserDevice;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The members of a shard's rooms by room, sorted as text, with the number of members per lane and
 * the XOR of their hashes.
 *
 * <p>One thread. Bounded by a {@link PresenceLimit}; reports whether members were omitted.
 */
final class PresenceMap {

  /** The number of members of a lane and the XOR of their hashes. */
  record Tally(int members, long hash) {
    static final Tally NOBODY = new Tally(0, 0);
  }

  private final NavigableMap<String, RoomPresence> rooms = new TreeMap<>();
  private final Map<Lane, Tally> tallies = new HashMap<>();
  private final Lane own;
  private final PresenceLimit bound;
  private boolean incomplete;

  PresenceMap(Lane own, PresenceLimit bound) {
    this.own = own;
    this.bound = bound;
  }

  /** Returns the members of a room. */
  RoomPresence of(String room) {
    return rooms.getOrDefault(room, RoomPresence.EMPTY);
  }

  /** Returns all rooms that have members. */
  NavigableMap<String, RoomPresence> rooms() {
    return rooms;
  }

  @Nullable Person get(String room, UserDevice who) {
    return of(room).get(who);
  }

  /** Adds a member, replacing an earlier entry of the same device, unless the limit is reached. */
  void put(String room, Person person) {
    remove(room, person.who());
    if (!bound.take(person.lane().equals(own))) {
      incomplete = true;
      return;
    }
    rooms.computeIfAbsent(room, _ -> new RoomPresence()).add(person);
    count(room, person, 1);
  }

  /** Returns whether a member was omitted because of the limit. */
  boolean isIncomplete() {
    return incomplete;
  }

  /** Resets {@link #isIncomplete}, because all members are requested again. */
  void clearIncomplete() {
    incomplete = false;
  }

  /**
   * Replaces a lane's members by its snapshot, except where the log is newer.
   *
   * @return whether the members changed
   */
  boolean merge(Lane lane, List<Page> answer, ChangesSince since) {
    boolean changed = false;
    Map<String, Set<UserDevice>> listed = new HashMap<>();
    for (Page page : answer) {
      for (Page.Listed each : page.presence()) {
        Person person = each.person();
        listed.computeIfAbsent(each.room(), _ -> new HashSet<>()).add(person.who());
        if (!since.knowsBetter(each.room(), person) && isNewest(each.room(), person)) {
          changed |= !person.equals(get(each.room(), person.who()));
          put(each.room(), person);
        }
      }
    }
    return removeUnlisted(lane, listed, since) || changed;
  }

  private boolean isNewest(String room, Person person) {
    Person known = get(room, person.who());
    return known == null
        || known.lane().equals(person.lane())
        || known.rank().compareTo(person.rank()) < 0;
  }

  private boolean removeUnlisted(
      Lane lane, Map<String, Set<UserDevice>> listed, ChangesSince since) {
    List<Page.Listed> ghosts = new ArrayList<>();
    each(
        lane,
        (room, person) -> {
          boolean isListed = listed.getOrDefault(room, Set.of()).contains(person.who());
          if (!isListed && !since.hasJoined(room, person.who())) {
            ghosts.add(new Page.Listed(room, person));
          }
        });
    ghosts.forEach(each -> remove(each.room(), each.person().who()));
    return !ghosts.isEmpty();
  }

  void remove(String room, UserDevice who) {
    RoomPresence presence = of(room);
    Person known = presence.get(who);
    if (known == null) {
      return;
    }
    presence.remove(who);
    if (presence.size() == 0) {
      rooms.remove(room);
    }
    bound.giveBack(1);
    count(room, known, -1);
  }

  private void count(String room, Person person, int change) {
    Tally before = tally(person.lane());
    int members = before.members() + change;
    if (members == 0) {
      tallies.remove(person.lane());
    } else {
      tallies.put(person.lane(), new Tally(members, before.hash() ^ hash(room, person)));
    }
  }

  private static long hash(String room, Person person) {
    long hash = mix(room.hashCode());
    hash = mix(hash + person.who().userId().hashCode());
    hash = mix(hash + person.who().device().hashCode());
    hash = mix(hash + Objects.hashCode(person.data()));
    return mix(hash + person.connectionId().hashCode());
  }

  /** Mixes the bits as the last step of MurmurHash3: each output bit depends on each input bit. */
  private static long mix(long bits) {
    long mixed = (bits ^ (bits >>> 33)) * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return mixed ^ (mixed >>> 33);
  }

  Tally tally(Lane lane) {
    return tallies.getOrDefault(lane, Tally.NOBODY);
  }

  Collection<Tally> tallies() {
    return tallies.values();
  }

  boolean has(Lane lane) {
    return tallies.containsKey(lane);
  }

  /** Passes all members of a lane, with their rooms. */
  void each(Lane lane, BiConsumer<String, Person> shown) {
    rooms.forEach((room, presence) ->
        presence.members().stream()
            .filter(person -> person.lane().equals(lane))
            .forEach(person -> shown.accept(room, person)));
  }

  /** Removes and returns all members of a lane. */
  List<Page.Listed> take(Lane lane) {
    List<Page.Listed> taken = new ArrayList<>();
    if (has(lane)) {
      each(lane, (room, person) -> taken.add(new Page.Listed(room, person)));
      taken.forEach(each -> remove(each.room(), each.person().who()));
    }
    return taken;
  }

  int size() {
    return tallies.values().stream().mapToInt(Tally::members).sum();
  }

  void clear() {
    bound.giveBack(size());
    rooms.clear();
    tallies.clear();
    incomplete = false;
  }
}
