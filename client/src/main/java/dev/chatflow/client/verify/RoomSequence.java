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
 * The one sequence in which every member of a room must receive its messages, on any server.
 *
 * <p>The sequence is not known in advance. Each member has a cursor at the last message it
 * received. A member at the end of the known sequence appends its next message. A message further
 * on passes over those between; if one of them arrives later, two members disagree. One that never
 * arrives is lost, which {@link RoomLedger} judges.
 *
 * <p>JOINs are part of the sequence, and a member begins after its own, on any server and at each
 * JOIN. A member whose server is ahead begins a separate {@link SequencePart}. So does a member
 * that receives a new message where others received another one, because one side lost a message.
 * The first message that members of both parts receive determines their relation.
 *
 * <p>A disconnected member that may resume keeps its cursor, and with it all later messages. A
 * member that receives the past before its JOIN begins at the first past message that is still
 * known. In a large room, JOINs and LEAVEs are not part of the sequence, and a member begins at the
 * first message it receives.
 *
 * <p>Invariants between two calls: each known message is in one part and reachable from its first
 * message; a part that was inserted into another has no messages of its own. A member's cursor is
 * the last message it received. Its {@code passedOver} has the messages between its beginning and
 * its cursor that it did not receive. Everything in a part comes after its anchor.
 *
 * <p>Belongs to the load thread of the room. Needs about 90 bytes for each message that some member
 * has not reached. Needs about 60 for each that a member passed over, until it arrives or the
 * member leaves. Messages that all members have passed are forgotten, or kept in 8 bytes if the
 * order is needed after the run. A member that joined after such a message and then receives it is
 * not detected. If a JOIN is lost as well, members may be reported to disagree that do not.
 */
public final class RoomSequence {

  /** Number of known messages at which those that all members have passed are removed. */
  private static final int TRIM = 1024;

  private static final long JOIN = 1L << 31;

  /** No JOIN, because the keys of JOINs have a bit set. */
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

  /** A message of the kept order, a row of {@link #order}. */
  public record Ordered(int part, int sender, int seq, long joinMicros) {
    private static Ordered of(int part, long message) {
      boolean join = (message & JOIN) != 0;
      return new Ordered(
          part, (int) (message >> 32), join ? 0 : (int) message, join ? message & (JOIN - 1) : 0);
    }
  }

  /**
   * Creates an empty sequence without members.
   *
   * @param keeps whether {@link #order} will be called
   */
  @SuppressWarnings({"unchecked", "rawtypes"}) // arrays of generic types cannot be created
  public RoomSequence(int members, boolean keeps) {
    this.keeps = keeps;
    cursors = new Node[members];
    passedOver = new Set[members];
    awaited = new long[members];
    writtenTicks = new long[members];
    recalls = new boolean[members];
    begins = new boolean[members];
  }

  /** Records that a user that is no member wrote this JOIN. */
  public void joining(int member, long dueMicros) {
    awaited[member] = join(member, dueMicros);
    writtenTicks[member] = ++ticks;
  }

  /**
   * Records that a member received its JOIN: it must receive all later messages.
   *
   * @return as {@link #saw}; true unless it received the past before
   */
  public boolean joined(int member, long dueMicros) {
    if (recalls[member] && cursors[member] != null) {
      return cameBack(member, dueMicros);
    }
    long join = join(member, dueMicros);
    departed(member);
    Node seen = known.get(join);
    cursors[member] =
        seen == null ? begun(join, new SequencePart(writtenTicks[member], ++ticks, null)) : seen;
    return true;
  }

  /**
   * Records that a member that resumed, or received the past, received its JOIN, as any other
   * message.
   *
   * @return as {@link #saw}
   */
  public boolean cameBack(int member, long dueMicros) {
    awaited[member] = NONE;
    recalls[member] = false;
    return advance(member, join(member, dueMicros));
  }

  /**
   * Records that a member received its own quiet JOIN: it begins at the next message it receives.
   *
   * @param resumed whether it continues after the frame it named instead
   */
  public void joinedQuietly(int member, boolean resumed) {
    if (cursors[member] != null && (resumed || recalls[member])) {
      awaited[member] = NONE;
      recalls[member] = false;
    } else {
      departed(member);
      begins[member] = true;
    }
  }

  /**
   * Records a text or a LEAVE from before the member's JOIN.
   *
   * @return as {@link #saw}; true while nothing of that past is known
   */
  public boolean pastMessage(int member, int sender, int seq) {
    return recall(member, text(sender, seq));
  }

  /** Records a JOIN from before the member's JOIN. */
  public boolean pastJoin(int member, int sender, long dueMicros) {
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

  /** Keeps the cursor of a member that lost its connection and may resume. */
  public void disconnected(int member) {
    awaited[member] = NONE;
    if (recalls[member]) {
      departed(member);
    }
  }

  /** Records that a member has left or lost its connection: it receives nothing until it joins. */
  public void departed(int member) {
    cursors[member] = null;
    passedOver[member] = null;
    awaited[member] = NONE;
    recalls[member] = false;
    begins[member] = false;
  }

  /** Returns the messages that a member has passed over, each once. */
  public List<Missed> takeMissed(int member) {
    Set<Long> passed = passedOver[member];
    passedOver[member] = null;
    return passed == null ? List.of() : passed.stream().map(Missed::of).toList();
  }

  /**
   * Records that a member received a text or a LEAVE for the first time.
   *
   * @return whether that agrees with all earlier observations; true for non-members
   */
  public boolean saw(int receiver, int sender, int seq) {
    return advance(receiver, text(sender, seq));
  }

  /**
   * Records that a member received another member's JOIN for the first time.
   *
   * @param dueMicros distinguishes this JOIN from the sender's other ones
   * @return as {@link #saw}
   */
  public boolean sawJoin(int receiver, int sender, long dueMicros) {
    return advance(receiver, join(sender, dueMicros));
  }

  /** Returns the number of known messages. */
  int size() {
    return known.size();
  }

  /** Returns the number of parts with members whose relation is unknown. */
  int parts() {
    return (int)
        Arrays.stream(cursors)
            .filter(Objects::nonNull)
            .map(cursor -> cursor.part.whole())
            .distinct()
            .count();
  }

  /**
   * Returns the order of all messages, if it is kept, part by part. The relation of two parts is
   * unknown. Call it once, after the last message.
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

  /** Sets the beginning of a member that is in the room without a cursor. */
  private void begin(int receiver, long message) {
    if (begins[receiver]) {
      begins[receiver] = false;
      Node seen = known.get(message);
      SequencePart own = new SequencePart(writtenTicks[receiver], ++ticks, null);
      cursors[receiver] = seen == null ? begun(message, own) : seen;
    }
  }

  /** Returns the message after the next one; null if it is before the cursor. */
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

  /** Adds a new message: at the end, or as the first one of a new part. */
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

  /** Moves a cursor forward to a message; false if the message is before it. */
  private boolean passOver(int receiver, Node cursor, Node node) {
    List<Node> over = SequencePart.between(cursor, node);
    if (over != null) {
      over.forEach(each -> passed(receiver, each.message));
    }
    return over != null;
  }

  /**
   * Determines the relation of two parts, because a member received a message of the other part
   * next.
   *
   * @return false if the message comes before the beginning of the cursor's part
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
    } else { // others received another message after the cursor: the relation stays open
      other.anchor = cursor;
      return other.first == seen || passOver(receiver, other.firstNode(), seen);
    }
    return passOver(receiver, cursor, seen);
  }

  /** Returns whether messages before the observed one were written before the other part began. */
  private static boolean hadBegun(SequencePart part, Node seen, SequencePart later) {
    return part.first != seen && part.writtenTick < later.seenTick;
  }

  /** Inserts a part into this message's part, after the message. */
  private void insert(SequencePart part, Node position) {
    List<Node> nodes = part.nodes();
    passedByMembersBehind(position, nodes);
    nodes.getLast().next = position.next;
    position.next = nodes.getFirst();
    passedByMembersOf(part, part.skippedBehindAnchor());
    position.part.whole().takeIn(part);
    parts.remove(part);
  }

  /**
   * Records that members with a cursor after the insertion did not receive the inserted messages.
   */
  private void passedByMembersBehind(Node position, List<Node> nodes) {
    Set<Node> behind = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Node node = position.next; node != null; node = node.next) {
      behind.add(node);
    }
    passed(nodes, behind::contains);
  }

  /** Records that members of a part received nothing between its anchor and its first message. */
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
   * Removes messages that all members have passed: in each part those before its first cursor. If
   * the order is kept, this needs a single part, and its last message stays, because another part
   * may have to follow it.
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
