package dev.chatflow.client.verify;

import dev.chatflow.client.verify.SequencePart.Node;
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
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
 * however often it joins. A member whose server is ahead of the others begins a {@link
 * SequencePart} of its own, and so does who sees a new message where others saw another one: either
 * it lost that one, or they lost this. The first message that members of two parts both see shows
 * where one stands.
 *
 * <p>A member that is away and may resume keeps its cursor, and with it all that stands behind: for
 * as long as it is away. A member that is shown the past before its JOIN begins at the first
 * message of it that is still known. In a large room nobody else is shown a JOIN or LEAVE: these do
 * not stand in the sequence, and a member begins at the first message that it sees.
 *
 * <p>Invariants, which hold between two calls: each known message is in one part, reached from its
 * first by the links; a part that was put into another has no messages of its own. A member's
 * cursor is the last message that it saw, and {@code passedOver} has those before the cursor, and
 * behind the place where the member began, that it did not see. Everything in a part comes after
 * its anchor.
 *
 * <p>Belongs to the load thread of the room. Holds about 90 bytes for each message that some member
 * has still to see, and about 60 for each that a member passed over, until it comes or that member
 * leaves. What all have passed is forgotten, or kept in 8 bytes where the order is asked for after
 * the run: who joined behind it and sees it then is not found. Where a JOIN is lost besides, others
 * may be told to disagree that do not.
 */
public final class RoomSequence {

  /** When so many messages are known, those that all have passed are looked for. */
  private static final int TRIM = 1024;

  private static final long JOIN = 1L << 31;

  /** No JOIN: these have their bit set. */
  private static final long NONE = 0;

  /**
   * A message that a member passed over.
   *
   * @param seq 0 for a JOIN
   */
  public record Missed(int sender, int seq) {
    private static Missed of(long message) {
      return new Missed((int) (message >> 32), (message & JOIN) == 0 ? (int) message : 0);
    }
  }

  private final @Nullable Node[] cursors;
  private final @Nullable Set<Long>[] passedOver;
  private final long[] awaited;
  private final long[] writtenTicks;
  private final boolean[] recalls;
  private final boolean[] begins;
  private final boolean keeps;
  private final Map<Long, Node> known = new HashMap<>();
  private final List<SequencePart> parts = new ArrayList<>();
  private long ticks;
  private int trimAt = TRIM;

  /** A message of the order that was kept, as in a row of {@link #order}. */
  public record Ordered(int part, int sender, int seq, long joinMicros) {
    private static Ordered of(int part, long message) {
      boolean join = (message & JOIN) != 0;
      return new Ordered(
          part, (int) (message >> 32), join ? 0 : (int) message, join ? message & (JOIN - 1) : 0);
    }
  }

  /**
   * An empty sequence; nobody is a member.
   *
   * @param keeps whether {@link #order} will be asked for
   */
  @SuppressWarnings({"unchecked", "rawtypes"}) // no array of a parametrised type can be made
  public RoomSequence(int members, boolean keeps) {
    this.keeps = keeps;
    cursors = new Node[members];
    passedOver = new Set[members];
    awaited = new long[members];
    writtenTicks = new long[members];
    recalls = new boolean[members];
    begins = new boolean[members];
  }

  /** A member, not of the room yet, wrote this JOIN. */
  public void joining(int member, long dueMicros) {
    awaited[member] = join(member, dueMicros);
    writtenTicks[member] = ++ticks;
  }

  /**
   * A member saw its own JOIN: it must see all that stands behind it.
   *
   * @return as {@link #saw}; true unless it was shown the past before
   */
  public boolean joined(int member, long dueMicros) {
    if (recalls[member] && cursors[member] != null) {
      return cameBack(member, dueMicros);
    }
    long join = join(member, dueMicros);
    gone(member);
    Node seen = known.get(join);
    cursors[member] =
        seen == null ? begun(join, new SequencePart(writtenTicks[member], ++ticks, null)) : seen;
    return true;
  }

  /**
   * A member that resumed, or was shown the past, saw its own JOIN: the next message like any.
   *
   * @return as {@link #saw}
   */
  public boolean cameBack(int member, long dueMicros) {
    awaited[member] = NONE;
    recalls[member] = false;
    return advance(member, join(member, dueMicros));
  }

  /**
   * A member saw its own JOIN, which nobody else is shown: it begins at the next message it sees.
   *
   * @param resumed whether it goes on behind the frame it named instead
   */
  public void joinedQuietly(int member, boolean resumed) {
    if (cursors[member] != null && (resumed || recalls[member])) {
      awaited[member] = NONE;
      recalls[member] = false;
    } else {
      gone(member);
      begins[member] = true;
    }
  }

  /**
   * A member is shown a text or a LEAVE from before its own JOIN.
   *
   * @return as {@link #saw}; true as long as nothing of that past is known
   */
  public boolean recalled(int member, int sender, int seq) {
    return recall(member, text(sender, seq));
  }

  /** The same with a JOIN. */
  public boolean recalledJoin(int member, int sender, long dueMicros) {
    return recall(member, join(sender, dueMicros));
  }

  private boolean recall(int member, long message) {
    if (recalls[member] && cursors[member] != null) {
      return advance(member, message);
    }
    recalls[member] = true;
    cursors[member] = known.get(message);
    passedOver[member] = null;
    return true;
  }

  /** The connection of a member is gone, and it may resume: its cursor stays. */
  public void away(int member) {
    awaited[member] = NONE;
    if (recalls[member]) {
      gone(member);
    }
  }

  /** A member has left, or its connection is gone: it need not see anything until it joins. */
  public void gone(int member) {
    cursors[member] = null;
    passedOver[member] = null;
    awaited[member] = NONE;
    recalls[member] = false;
    begins[member] = false;
  }

  /** What a member has passed over until now, which it tells once. */
  public List<Missed> takeMissed(int member) {
    Set<Long> passed = passedOver[member];
    passedOver[member] = null;
    return passed == null ? List.of() : passed.stream().map(Missed::of).toList();
  }

  /**
   * A member saw a text or a LEAVE for the first time.
   *
   * @return whether that agrees with all that was seen before; true for who is no member
   */
  public boolean saw(int receiver, int sender, int seq) {
    return advance(receiver, text(sender, seq));
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

  /**
   * The order of all messages, if it is kept, part by part: of two parts is not known which stands
   * first. To be asked once, when nothing more comes.
   */
  public Stream<Ordered> order() {
    return IntStream.range(0, keeps ? parts.size() : 0)
        .boxed()
        .flatMap(part -> parts.get(part).messages().mapToObj(each -> Ordered.of(part, each)));
  }

  private boolean advance(int receiver, long message) {
    Node cursor = cursors[receiver];
    if (cursor == null) {
      begin(receiver, message);
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

  /** Where a member begins that is in the room and knows no place yet. */
  private void begin(int receiver, long message) {
    if (begins[receiver]) {
      begins[receiver] = false;
      Node seen = known.get(message);
      SequencePart own = new SequencePart(writtenTicks[receiver], ++ticks, null);
      cursors[receiver] = seen == null ? begun(message, own) : seen;
    }
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
      return begun(message, new SequencePart(++ticks, ticks, cursor));
    }
    Node node = new Node(message, cursor.part);
    cursor.next = node;
    known.put(message, node);
    return node;
  }

  private Node begun(long message, SequencePart part) {
    Node node = new Node(message, part);
    part.first = node;
    parts.add(part);
    known.put(message, node);
    return node;
  }

  /** Goes on to a message further on; false when it is not there: then it stands before. */
  private boolean passOver(int receiver, Node cursor, Node node) {
    List<Node> over = SequencePart.between(cursor, node);
    if (over != null) {
      over.forEach(each -> passed(receiver, each.message));
    }
    return over != null;
  }

  /**
   * Settles how two parts stand to one another, because a member saw a message of another part
   * next.
   *
   * @return false when the message comes before the place where the cursor's part began
   */
  private boolean relate(int receiver, Node cursor, Node seen) {
    SequencePart mine = cursor.part.whole();
    SequencePart other = seen.part.whole();
    boolean beganInOther = mine.isAnchoredIn(other);
    if (beganInOther && !mine.isAnchoredBefore(seen)) {
      return false;
    }
    if (beganInOther || hadBegun(other, seen, mine)) {
      insert(mine, other.before(seen));
    } else if (cursor.next == null || other.anchor != null) {
      insert(other, cursor);
    } else { // others saw something else behind the cursor: where both stand is left open
      other.anchor = cursor;
      return other.first == seen || passOver(receiver, other.firstNode(), seen);
    }
    return passOver(receiver, cursor, seen);
  }

  /** Whether messages before the one seen were written before the other part was begun. */
  private static boolean hadBegun(SequencePart part, Node seen, SequencePart later) {
    return part.first != seen && part.writtenTick < later.seenTick;
  }

  /** Inserts a part into the part of this message, after the message. */
  private void insert(SequencePart part, Node place) {
    List<Node> nodes = part.nodes();
    passedByMembersBehind(place, nodes);
    nodes.getLast().next = place.next;
    place.next = nodes.getFirst();
    passedByMembersOf(part, part.skippedBehindAnchor());
    place.part.whole().takeIn(part);
    parts.remove(part);
  }

  /** Members whose cursor is after this place did not see the messages that are inserted there. */
  private void passedByMembersBehind(Node place, List<Node> nodes) {
    Set<Node> behind = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Node node = place.next; node != null; node = node.next) {
      behind.add(node);
    }
    passed(nodes, behind::contains);
  }

  /** Members of a part went on from its anchor to its first message: they saw nothing between. */
  private void passedByMembersOf(SequencePart part, List<Node> skipped) {
    passed(skipped, cursor -> cursor.part.whole() == part);
  }

  private void passed(List<Node> nodes, Predicate<Node> isCursorOf) {
    for (int member = 0; member < cursors.length && !nodes.isEmpty(); member++) {
      Node cursor = cursors[member];
      if (cursor != null && isCursorOf.test(cursor)) {
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

  /**
   * Forgets what all have passed: of each part all before its first cursor. Where the order is
   * kept, only while there is one part, and never the last message of it: another part may have to
   * be put behind that.
   */
  private void trim() {
    if (keeps && parts.size() > 1) {
      trimAt = 2 * known.size();
      return;
    }
    Set<Node> held = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int member = 0; member < cursors.length; member++) {
      held.add(cursors[member]);
      held.add(known.get(awaited[member]));
    }
    parts.forEach(part -> held.add(part.anchor));
    for (SequencePart part : parts) {
      Node first = part.first;
      while (first != null && !held.contains(first) && !(keeps && first.next == null)) {
        known.remove(first.message);
        first = part.forgetFirst(first, keeps);
      }
    }
    parts.removeIf(part -> part.first == null);
    trimAt = Math.max(TRIM, 2 * known.size());
  }

  private static long text(int sender, int seq) {
    return (long) sender << 32 | seq;
  }

  private static long join(int sender, long dueMicros) {
    return (long) sender << 32 | JOIN | (dueMicros & (JOIN - 1));
  }
}
