package dev.chatflow.client.verify;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The one sequence in which every member of a room must see its messages, whatever server it is on.
 *
 * <p>Nobody tells it beforehand. Each member has a cursor, the last message it saw; who comes to
 * the end of what is known appends. A message further on has others passed over; one of these that
 * comes after all shows that two members disagree. One that never comes is lost, which {@link
 * RoomLedger} judges.
 *
 * <p>JOINs stand in the sequence like texts, and a member begins behind its own, wherever and
 * however often it joins. A member whose server is ahead of the others begins a {@link Part} of its
 * own, and so does who sees a new message where others saw another one: either it lost that one, or
 * they lost this. The first message that members of two parts both see shows where one stands.
 *
 * <p>Belongs to the load thread of the room. Holds about 90 bytes for each message that some member
 * has still to see, and about 60 for each that a member passed over, until it comes or that member
 * leaves. What all have passed is forgotten: who joined behind it and sees it then is not found.
 * Where a JOIN is lost besides, others may be told to disagree that do not.
 */
public final class RoomSequence {

  /** When so many messages are known, those that all have passed are looked for. */
  private static final int TRIM = 1024;

  private static final long JOIN = 1L << 31;

  /** No JOIN: these have their bit set. */
  private static final long NONE = 0;

  /** A message, and the one behind it. */
  private static final class Node {
    final long message;
    final Part part;
    @Nullable Node next;

    Node(long message, Part part) {
      this.message = message;
      this.part = part;
    }
  }

  /** Messages whose order is known, from one on that nobody else had seen. */
  private static final class Part {
    final long writtenTick;
    final long seenTick;
    @Nullable Node anchor;
    @Nullable Node first;
    @Nullable Part within;

    /**
     * An empty part.
     *
     * @param writtenTick when its first message was written, at the earliest
     * @param seenTick when it was seen
     * @param anchor what its member saw before; null when it is a JOIN
     */
    Part(long writtenTick, long seenTick, @Nullable Node anchor) {
      this.writtenTick = writtenTick;
      this.seenTick = seenTick;
      this.anchor = anchor;
    }

    /** The part that has taken this one in. */
    Part whole() {
      Part whole = this;
      while (whole.within != null) {
        whole = whole.within;
      }
      return whole;
    }
  }

  private final @Nullable Node[] cursors;
  private final @Nullable Set<Long>[] passedOver;
  private final long[] awaited;
  private final long[] writtenTicks;
  private final Map<Long, Node> known = new HashMap<>();
  private final List<Part> parts = new ArrayList<>();
  private long ticks;
  private int trimAt = TRIM;

  /** An empty sequence; nobody is a member. */
  @SuppressWarnings({"unchecked", "rawtypes"}) // no array of a parametrised type can be made
  public RoomSequence(int members) {
    cursors = new Node[members];
    passedOver = new Set[members];
    awaited = new long[members];
    writtenTicks = new long[members];
  }

  /** A member, not of the room yet, wrote this JOIN. */
  public void joining(int member, long dueMicros) {
    awaited[member] = join(member, dueMicros);
    writtenTicks[member] = ++ticks;
  }

  /** A member saw its own JOIN: it must see all that stands behind it. */
  public void joined(int member, long dueMicros) {
    long join = join(member, dueMicros);
    gone(member);
    Node seen = known.get(join);
    cursors[member] =
        seen == null ? begun(join, new Part(writtenTicks[member], ++ticks, null)) : seen;
  }

  /** A member has left, or its connection is gone: it need not see anything until it joins. */
  public void gone(int member) {
    cursors[member] = null;
    passedOver[member] = null;
    awaited[member] = NONE;
  }

  /**
   * A member saw a text or a LEAVE for the first time.
   *
   * @return whether that agrees with all that was seen before; true for who is no member
   */
  public boolean saw(int receiver, int sender, int seq) {
    return advance(receiver, (long) sender << 32 | seq);
  }

  /**
   * A member saw a JOIN of another one for the first time.
   *
   * @param dueMicros what tells this JOIN from the others of its sender
   * @return as {@link #saw}
   */
  public boolean sawJoin(int receiver, int sender, long dueMicros) {
    return advance(receiver, join(sender, dueMicros));
  }

  /** Messages that are not forgotten. */
  int size() {
    return known.size();
  }

  /** Parts with members of which is not known yet how they stand to one another. */
  int parts() {
    return (int)
        Arrays.stream(cursors)
            .filter(Objects::nonNull)
            .map(cursor -> cursor.part.whole())
            .distinct()
            .count();
  }

  private boolean advance(int receiver, long message) {
    Node cursor = cursors[receiver];
    if (cursor == null) {
      return true;
    }
    Node next = cursor.next;
    if (next == null || next.message != message) {
      next = found(receiver, cursor, message);
    }
    if (next != null) {
      cursors[receiver] = next;
    }
    return next != null;
  }

  /** The message, which is not the next one; null when it stands before the cursor. */
  private @Nullable Node found(int receiver, Node cursor, long message) {
    Set<Long> passed = passedOver[receiver];
    if (passed != null && passed.remove(message)) {
      return null;
    }
    Node node = known.get(message);
    if (node == null) {
      return inserted(cursor, message);
    }
    if (node.part.whole() == cursor.part.whole()) {
      return passOver(receiver, cursor, node) ? node : null;
    }
    return relate(receiver, cursor, node) ? node : null;
  }

  /** A message that nobody has seen: at the end, or the first one of a new part. */
  private Node inserted(Node cursor, long message) {
    if (known.size() >= trimAt) {
      trim();
    }
    if (cursor.next != null) {
      return begun(message, new Part(++ticks, ticks, cursor));
    }
    Node node = new Node(message, cursor.part);
    cursor.next = node;
    known.put(message, node);
    return node;
  }

  private Node begun(long message, Part part) {
    Node node = new Node(message, part);
    part.first = node;
    parts.add(part);
    known.put(message, node);
    return node;
  }

  /** Goes on to a message further on; false when it is not there: then it stands before. */
  private boolean passOver(int receiver, Node cursor, Node node) {
    List<Node> over = between(cursor, node);
    if (over != null) {
      over.forEach(each -> passed(receiver, each.message));
    }
    return over != null;
  }

  /** What stands between two messages; null when the second one does not stand behind the first. */
  private static @Nullable List<Node> between(Node from, Node to) {
    List<Node> between = new ArrayList<>();
    Node node = from.next;
    while (node != null && node != to) {
      between.add(node);
      node = node.next;
    }
    return node == null ? null : between;
  }

  /**
   * Settles how two parts stand to one another: a member saw, behind its cursor, a message of
   * another part. That part stands behind the cursor when this is its first message, or that was
   * written when the cursor's part had begun; where, is left open while others saw something else
   * there. Else the cursor's part began behind the other's first messages, and stands before this
   * one.
   *
   * @return false when the message stands before the place from which the cursor's part began
   */
  private boolean relate(int receiver, Node cursor, Node seen) {
    Part mine = cursor.part.whole();
    Part other = seen.part.whole();
    Node anchor = mine.anchor;
    Node first = other.first;
    if (anchor != null && anchor.part.whole() == other) {
      if (between(anchor, seen) == null) {
        return false;
      }
      insert(mine, other, before(other, seen));
    } else if (first != seen && other.writtenTick < mine.seenTick) {
      insert(mine, other, before(other, seen));
    } else if (cursor.next != null && other.anchor == null) {
      other.anchor = cursor;
      return first == seen || first == null || passOver(receiver, first, seen);
    } else {
      insert(other, mine, cursor);
    }
    return passOver(receiver, cursor, seen);
  }

  private static Node before(Part part, Node node) {
    Node before = part.first;
    while (before != null && before.next != node) {
      before = before.next;
    }
    if (before == null) {
      throw new IllegalStateException("a message is not in its part");
    }
    return before;
  }

  /** Puts a part into another one, behind this message of it. */
  private void insert(Part part, Part into, Node place) {
    List<Node> nodes = new ArrayList<>();
    for (Node node = part.first; node != null; node = node.next) {
      nodes.add(node);
    }
    passedByThoseBehind(place, nodes);
    nodes.getLast().next = place.next;
    place.next = nodes.getFirst();
    List<Node> skipped = part.anchor == null ? null : between(part.anchor, nodes.getFirst());
    for (int member = 0; member < cursors.length && skipped != null; member++) {
      Node cursor = cursors[member];
      if (cursor != null && cursor.part.whole() == part) {
        for (Node node : skipped) {
          passed(member, node.message);
        }
      }
    }
    part.within = into;
    part.first = null;
    parts.remove(part);
  }

  /** Whose cursor stands behind this place did not see what is put there. */
  private void passedByThoseBehind(Node place, List<Node> nodes) {
    if (place.next == null) {
      return;
    }
    Set<Node> behind = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Node node = place.next; node != null; node = node.next) {
      behind.add(node);
    }
    for (int member = 0; member < cursors.length; member++) {
      if (behind.contains(cursors[member])) {
        for (Node node : nodes) {
          passed(member, node.message);
        }
      }
    }
  }

  private void passed(int member, long message) {
    Set<Long> passed = passedOver[member];
    if (passed == null) {
      passed = new HashSet<>();
      passedOver[member] = passed;
    }
    passed.add(message);
  }

  /** Forgets what all have passed: of each part all before its first cursor. */
  private void trim() {
    Set<Node> held = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int member = 0; member < cursors.length; member++) {
      held.add(awaited[member] == NONE ? cursors[member] : known.get(awaited[member]));
    }
    parts.forEach(part -> held.add(part.anchor));
    for (Part part : parts) {
      while (part.first != null && !held.contains(part.first)) {
        known.remove(part.first.message);
        part.first = part.first.next;
      }
    }
    parts.removeIf(part -> part.first == null);
    trimAt = Math.max(TRIM, 2 * known.size());
  }

  private static long join(int sender, long dueMicros) {
    return (long) sender << 32 | JOIN | (dueMicros & (JOIN - 1));
  }
}
