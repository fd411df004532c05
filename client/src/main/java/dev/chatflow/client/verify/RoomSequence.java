package dev.chatflow.client.verify;

import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The one sequence in which every member of a room must see its messages, whatever server it is on.
 *
 * <p>Nobody tells it beforehand. Each member has a cursor, the last message it saw; who comes to
 * the end of what is known appends. A message that is not the next one has others passed over; one
 * of these that comes after all shows that two members disagree. One that never comes is lost,
 * which {@link RoomLedger} judges.
 *
 * <p>JOINs stand in the sequence like texts, and a member begins behind its own, wherever and
 * however often it joins. A member whose server is ahead of the others begins a part of its own;
 * whoever comes to that JOIN from before shows where the part belongs.
 *
 * <p>Belongs to the load thread of the room. Holds about 24 bytes for each message that some member
 * has still to see, and what members passed over.
 */
public final class RoomSequence {

  /** A message, and the one that members saw next. */
  private static final class Node {
    final long message;
    @Nullable Node next;

    Node(long message) {
      this.message = message;
    }
  }

  /** The first message of a part, and who may still come to it from before. */
  private record Head(Node node, BitSet behind) {}

  private static final long JOIN = 1L << 31;

  /** No JOIN: these have their bit set. */
  private static final long NONE = 0;

  private final @Nullable Node[] cursors;
  private final @Nullable Node[] ownJoins;
  private final @Nullable Set<Long>[] passedOver;
  private final long[] awaited;
  private final Map<Long, Head> heads = new HashMap<>();

  /** An empty sequence; nobody is a member. */
  @SuppressWarnings({"unchecked", "rawtypes"}) // no array of a parametrised type can be made
  public RoomSequence(int members) {
    cursors = new Node[members];
    ownJoins = new Node[members];
    awaited = new long[members];
    passedOver = new Set[members];
  }

  /** How many JOINs began a part that may still be reached from before. */
  int heads() {
    return heads.size();
  }

  /** A member, not of the room yet, wrote this JOIN. */
  public void joining(int member, long dueMicros) {
    awaited[member] = join(member, dueMicros);
    ownJoins[member] = null;
  }

  /** A member saw its own JOIN: it must see all that stands behind it. */
  public void joined(int member, long dueMicros) {
    long join = join(member, dueMicros);
    Node seen = ownJoins[member];
    Node cursor = seen == null ? begun(member, join) : seen;
    leave(member);
    cursors[member] = cursor;
    forgetHeads();
  }

  /** A member has left, or its connection is gone: it need not see anything until it joins. */
  public void gone(int member) {
    leave(member);
    heads.values().forEach(head -> head.behind.clear(member));
    forgetHeads();
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
    long join = join(sender, dueMicros);
    boolean agrees = advance(receiver, join);
    if (agrees && awaited[sender] == join) {
      ownJoins[sender] = cursors[receiver];
    }
    return agrees;
  }

  private boolean advance(int receiver, long message) {
    Node cursor = cursors[receiver];
    if (cursor == null) {
      return true;
    }
    Node next = cursor.next;
    if (next == null || next.message != message) {
      Set<Long> passed = passedOver[receiver];
      if (passed != null && passed.remove(message)) {
        return false;
      }
      next = next == null ? extended(cursor, message) : passOver(receiver, next, message);
    }
    cursors[receiver] = next;
    return true;
  }

  /** At the end of what is known: a message that is new, or the first one of another part. */
  private Node extended(Node cursor, long message) {
    Head head = (message & JOIN) == 0 ? null : heads.remove(message);
    if (head == null) {
      cursor.next = new Node(message);
    } else {
      cursor.next = head.node;
      forgetHeads();
    }
    return cursor.next;
  }

  /** Goes on to a message that is not the next one; appends it when nobody has seen it. */
  private Node passOver(int receiver, Node next, long message) {
    Set<Long> passed = passedOver[receiver];
    if (passed == null) {
      passed = new HashSet<>();
      passedOver[receiver] = passed;
    }
    Node last = next;
    passed.add(last.message);
    while (last.next != null && last.next.message != message) {
      last = last.next;
      passed.add(last.message);
    }
    return last.next == null ? extended(last, message) : last.next;
  }

  private Node begun(int member, long join) {
    Node node = new Node(join);
    BitSet behind = new BitSet();
    for (int other = 0; other < cursors.length; other++) {
      if (cursors[other] != null || awaited[other] != NONE) {
        behind.set(other);
      }
    }
    behind.clear(member);
    heads.put(join, new Head(node, behind));
    return node;
  }

  private void leave(int member) {
    cursors[member] = null;
    ownJoins[member] = null;
    passedOver[member] = null;
    awaited[member] = NONE;
  }

  /** Forgets parts that all have come to, and those that all have left. */
  private void forgetHeads() {
    if (heads.isEmpty()) {
      return;
    }
    Map<Node, BitSet> places = new HashMap<>();
    for (int member = 0; member < cursors.length; member++) {
      Node cursor = cursors[member];
      if (cursor != null) {
        places.computeIfAbsent(cursor, _ -> new BitSet()).set(member);
      }
    }
    heads.values().removeIf(head -> isPassed(head, places));
  }

  private static boolean isPassed(Head head, Map<Node, BitSet> places) {
    boolean empty = true;
    for (Node node = head.node; node != null; node = node.next) {
      BitSet members = places.get(node);
      if (members != null) {
        head.behind.andNot(members);
        empty = false;
      }
    }
    return empty || head.behind.isEmpty();
  }

  private static long join(int sender, long dueMicros) {
    return (long) sender << 32 | JOIN | (dueMicros & (JOIN - 1));
  }
}
