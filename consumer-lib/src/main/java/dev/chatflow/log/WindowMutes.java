package dev.chatflow.log;

import dev.chatflow.message.ChatMessage;
import dev.chatflow.room.RoomId;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The mutes of the window: who may not write in which room, and until when.
 *
 * <p>A mute counts while the window contains it or a repetition of it, so servers repeat each one
 * before it leaves the window, or later if all were late. A repetition does not count if a newer
 * mute of the same user is in the window: it was on its way.
 *
 * <p>One thread. Holds at most {@value #MAX_MUTES} mutes, and as many that have left the window.
 */
final class WindowMutes {

  /** Maximum number of mutes in a shard; a further one is refused. */
  static final int MAX_MUTES = 1_024;

  /** The age at which the first server repeats a mute, in windows. */
  private static final double REPEAT_AGE = 0.25;

  /** The last server repeats it this much later, unless it has read a repetition by then. */
  private static final double SPREAD = 0.25;

  /** A repetition that does not arrive is tried again after this part of a window. */
  private static final double RETRY_AGE = 0.25;

  private record Key(RoomId room, String userId) {}

  /** A place in the log: its position and the bytes read up to it. */
  private record Place(long position, long bytes) {}

  /**
   * A mute.
   *
   * @param until the cluster time when it ends, in ms
   * @param first the position of the newest mute of the user that is no repetition
   * @param last where it or a repetition was read
   * @param repeated where it was passed on for repetition after that
   */
  private record Mute(ChatMessage message, long until, long first, Place last, Place repeated) {

    static Mute of(ChatMessage message, long first, Place here) {
      return new Mute(message, message.content().mutedUntilMillis(), first, here, here);
    }

    Mute repeatedAt(Place here) {
      return new Mute(message, until, first, last, here);
    }
  }

  private final WindowPositions window;
  private final WindowBounds bounds;

  /** In the order of {@link Mute#last}. */
  private final Map<Key, Mute> mutes = new LinkedHashMap<>();

  /** Mutes that left the window before they were repeated; they do not count until they are. */
  private final Map<Key, Mute> left = new LinkedHashMap<>();

  WindowMutes(WindowPositions window, WindowBounds bounds) {
    this.window = window;
    this.bounds = bounds;
  }

  /** Adds a mute of the current entry; false if there are too many. */
  boolean add(ChatMessage mute) {
    forget();
    Key key = new Key(mute.room(), mute.content().userId());
    Mute known = mutes.get(key);
    if (known == null && mutes.size() >= MAX_MUTES) {
      return false;
    }
    if (mute.synthetic() && isReplaced(known, mute)) {
      return true;
    }
    long firstKnown = known == null ? -1 : known.first();
    left.remove(key);
    mutes.remove(key); // it becomes the last one
    mutes.put(key, Mute.of(mute, mute.synthetic() ? firstKnown : window.position(), here()));
    return true;
  }

  /** Returns whether the window contains a newer mute than the one that is repeated. */
  private boolean isReplaced(@Nullable Mute known, ChatMessage repetition) {
    return known != null
        && known.first() >= window.start()
        && !known.message().messageId().equals(repetition.messageId());
  }

  /** Returns whether a user may not write at this cluster time, in ms. */
  boolean isMuted(RoomId room, String userId, long millis) {
    if (mutes.isEmpty()) {
      return false;
    }
    forget();
    Mute mute = mutes.get(new Key(room, userId));
    return mute != null && millis < mute.until();
  }

  /**
   * Returns the mutes to repeat now.
   *
   * @param millis cluster time; mutes that have ended are not repeated
   * @param rank of this server, from 0 to 1: if all repeated at once, the repetitions could fill
   *     the window themselves
   */
  List<ChatMessage> due(long millis, double rank) {
    if (mutes.isEmpty() && left.isEmpty()) {
      return List.of();
    }
    forget();
    left.values().removeIf(mute -> mute.until() <= millis);
    List<ChatMessage> due = new ArrayList<>();
    addDue(left, millis, rank, due);
    addDue(mutes, millis, rank, due);
    return due;
  }

  private void addDue(Map<Key, Mute> from, long millis, double rank, List<ChatMessage> due) {
    for (Map.Entry<Key, Mute> each : from.entrySet()) {
      Mute mute = each.getValue();
      if (!isOlder(mute.last(), REPEAT_AGE + SPREAD * rank)) {
        break; // later ones are not either
      }
      if (isOlder(mute.repeated(), RETRY_AGE) && millis < mute.until()) {
        each.setValue(mute.repeatedAt(here()));
        due.add(mute.message().asSynthetic());
      }
    }
  }

  private Place here() {
    return new Place(window.position(), window.bytesRead());
  }

  private boolean isOlder(Place place, double windows) {
    return window.position() - place.position() >= windows * bounds.entries()
        || window.bytesRead() - place.bytes() >= windows * bounds.bytes();
  }

  private void forget() {
    Iterator<Map.Entry<Key, Mute>> entries = mutes.entrySet().iterator();
    while (entries.hasNext()) {
      Map.Entry<Key, Mute> oldest = entries.next();
      if (oldest.getValue().last().position() >= window.start()) {
        return;
      }
      entries.remove();
      if (left.size() < MAX_MUTES) {
        left.put(oldest.getKey(), oldest.getValue());
      }
    }
  }
}
