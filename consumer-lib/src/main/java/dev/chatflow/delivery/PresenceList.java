package dev.chatflow.delivery;

import dev.chatflow.message.MembersFrame;
import dev.chatflow.presence.RoomPresence;
import dev.chatflow.presence.ShardPresence;
import dev.chatflow.presence.ShardPresence.RoomSize;
import dev.chatflow.room.RoomId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Builds lists of members: parts of a room, parts of all rooms, and frames. Used only by the owning
 * threads.
 */
final class PresenceList {

  /** Sorts before every id. */
  private static final String START = "";

  private PresenceList() {}

  static PresenceAnswer.Room room(
      ShardPresence presence, RoomId room, int most, @Nullable String after) {
    RoomPresence all = presence.of(room);
    List<PresentUser> more =
        PresentUser.of(after == null ? all.members() : all.after(after), most + 1);
    List<PresentUser> part = more.subList(0, Math.min(most, more.size()));
    return new PresenceAnswer.Room(
        all.users(),
        presence.isComplete(),
        part,
        more.size() > most ? part.getLast().userId() : null);
  }

  /** Lists the rooms of one thread's shards; {@code next} is set if there are more. */
  static PresenceAnswer.Rooms rooms(List<ShardPresence> shards, int most, @Nullable String after) {
    List<RoomSize> some =
        shards.stream()
            .flatMap(each -> each.rooms(after == null ? START : after, most + 1).stream())
            .toList();
    return rooms(shards.stream().allMatch(ShardPresence::isComplete), some, most);
  }

  /** Merges the parts of several threads. */
  static PresenceAnswer.Rooms together(List<PresenceAnswer.Rooms> parts, int most) {
    List<RoomSize> some = parts.stream().flatMap(part -> part.rooms().stream()).toList();
    PresenceAnswer.Rooms all =
        rooms(parts.stream().allMatch(PresenceAnswer.Rooms::complete), some, most + 1);
    boolean more = all.rooms().size() > most;
    List<RoomSize> first = more ? all.rooms().subList(0, most) : all.rooms();
    return new PresenceAnswer.Rooms(all.complete(), first, more ? first.getLast().room() : null);
  }

  private static PresenceAnswer.Rooms rooms(boolean complete, List<RoomSize> some, int most) {
    List<RoomSize> first =
        some.stream().sorted(Comparator.comparing(RoomSize::room)).limit(most + 1L).toList();
    return new PresenceAnswer.Rooms(complete, first, null);
  }

  /** Returns the frame that lists a room's members with this many names. */
  static byte[] frame(ShardPresence presence, RoomId room, int names) {
    RoomPresence all = presence.of(room);
    List<MembersFrame.Name> named =
        PresentUser.of(all.members(), names).stream().map(PresenceList::name).toList();
    return new MembersFrame(room, all.users(), presence.isComplete(), named).toBytes();
  }

  private static MembersFrame.Name name(PresentUser user) {
    return new MembersFrame.Name(user.userId(), user.username(), user.devices(), user.data());
  }

  /** The frames of one pass over all members: one per room and number of names. */
  static final class Frames {
    private final ShardPresence presence;
    private final Map<Integer, byte[]> ofRoom = new HashMap<>();
    private @Nullable RoomId room;

    Frames(ShardPresence presence) {
      this.presence = presence;
    }

    /** Returns the frame for a room; members are passed room by room. */
    byte[] of(RoomId next, int names) {
      if (!next.equals(room)) {
        ofRoom.clear();
        room = next;
      }
      return ofRoom.computeIfAbsent(names, most -> frame(presence, next, most));
    }
  }
}
